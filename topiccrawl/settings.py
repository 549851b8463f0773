"""Settings of the project: all TOPICCRAWL_ settings with their defaults, and changed Scrapy settings.

本文件列出 topiccrawl 的全部设置及默认值；每项均有中英文说明。命令行用 -s 名称=值 覆盖。
Override them on the command line with ``-s NAME=VALUE`` or in a settings module of your own.
"""

import os

from topiccrawl import __version__

# One thread for linear algebra, unless the environment says otherwise; set before numpy is imported. The
# matrices of a crawl are small, and threads that wait for each other took twenty times the processor time of a
# fit (2026-11).
# 线性代数只用一个线程（除非环境变量另有规定）：矩阵很小，多线程只会互相等待。
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("MKL_NUM_THREADS", "1")

BOT_NAME = "topiccrawl"
SPIDER_MODULES = ["topiccrawl.spiders"]
NEWSPIDER_MODULE = "topiccrawl.spiders"
COMMANDS_MODULE = "topiccrawl.commands"

# The add-on installs all components; any other Scrapy project can use them with this line.
# 各组件由插件统一装配，其他 Scrapy 项目加上这一行即可使用。
ADDONS = {"topiccrawl.addon.TopicCrawlAddon": 100}

# === Generated from topiccrawl/crawl/settings/ by `make reference` 以下自动生成 ===

# --- Topic 主题 -----------------------------------------------------------------------------------
# Topic of spiders other than `topic`: a name, an alias or a folder. The topic spider takes `-a
# topic=…` instead. A spider without a topic runs as if the add-on was not installed.
# 供其他爬虫使用的主题（名称、别名或目录）；topic 爬虫用 -a topic=… 指定。没有主题的爬虫不使用本插
# 件。
TOPICCRAWL_TOPIC = ""
# Keep to the URLs that match one of these patterns (docs/urls.md), in place of the topic's `allow`;
# empty: the topic's. The topic spider takes `-a allow=…` as well.
# 只抓取匹配这些模式的地址（主机、主机/路径前缀、*），取代主题中的 allow；也可用 -a allow=…。
TOPICCRAWL_ALLOW = ""  # URL patterns
# Leave out the URLs that match one of these patterns, besides the topic's `deny`. The topic spider
# takes `-a deny=…` as well.
# 不抓取匹配这些模式的地址，与主题中的 deny 合并；也可用 -a deny=…。
TOPICCRAWL_DENY = ""  # URL patterns
# Seed of all random draws. The same seed, the same web and `CONCURRENT_REQUESTS=1` give the same
# order.
# 随机种子：同一种子、同一网络，抓取顺序相同（并发为 1 时）。
TOPICCRAWL_SEED = 1  # integer

# --- Search 检索入口 ------------------------------------------------------------------------------
# Pages to start from, found by search engines: docs/search.md.
# 由搜索引擎查找抓取起点；说明见 docs/search.md。

# Ask search engines for pages to start from, besides the seeds. The topic spider takes `-a
# search=1` as well.
# 除种子外，另由搜索引擎查找抓取起点；也可用 -a search=1。
TOPICCRAWL_SEARCH = False
# Engines that are asked: names of descriptions (`baidu`, `bing`, `sogou`, `so360`, your own).
# `searxng` is left out unless `TOPICCRAWL_SEARXNG_URL` is set.
# 所用的搜索引擎：描述文件名（baidu、bing、sogou、so360 或自定义）；未设 TOPICCRAWL_SEARXNG_URL 时不
# 用 searxng。
TOPICCRAWL_SEARCH_ENGINES = ("searxng",)
# Address of your own SearXNG, `http://127.0.0.1:8888/`. It may be a private address; its settings
# must allow the format `json`.
# 自建 SearXNG 的地址（可为内网地址），须在其设置中开启 json 格式。
TOPICCRAWL_SEARXNG_URL = ""  # URL
# Folder of descriptions of your own engines, `NAME.toml`; those in `engines/` of the topic's folder
# come first.
# 自定义搜索引擎描述（名称.toml）所在目录；主题目录下 engines/ 中的优先。
TOPICCRAWL_SEARCH_FOLDER = ""
# Queries of a topic, to all engines together. Most are sent at the start, the others when the crawl
# finds nothing more.
# 一个主题向全部引擎发出的检索总次数；开始时用去大部分，其余在抓取无新收获时使用。
TOPICCRAWL_SEARCH_QUERIES = 40  # integer ≥ 1; queries
# Pages that a search gives to the crawl, at most, the best first.
# 检索结果中最多取多少个网页作为抓取起点。
TOPICCRAWL_SEARCH_SOURCES = 200  # integer ≥ 1; pages
# How long an engine is left alone after a captcha, a refusal or a garbled answer; four times as
# long after each further one, up to a day.
# 引擎要求验证、拒绝或返回异常内容后停用多久（秒）；再次出现时每次延长至四倍，最长一天。
TOPICCRAWL_SEARCH_REST_SECONDS = 60  # number ≥ 0; seconds

# --- Link scores 链接评分 -------------------------------------------------------------------------
# Crawl strategy, which orders the links: one of the names in docs/scoring.md, or the dotted path of
# a strategy of your own. The error for an unknown name lists all.
# 链接排序策略：策略名，或自定义策略的点号路径；写错时会列出全部可用名称。
TOPICCRAWL_STRATEGY = "adaptive"  # name or dotted path
# `capped` limits the third chance of RWB; `thesis` is formula 9.3 as printed.
# RWB 第三种机会：capped 为修正版（默认），thesis 为论文原式 9.3。
TOPICCRAWL_RWB_MODE = "capped"  # capped, thesis
# Teleport term of IPageRank: `relevance` of the page, or the `constant` of formula 9.5. `auto`
# takes the one that belongs to the RWB mode: `relevance` with `capped`, `constant` with `thesis`.
# IPageRank 的跳转项：relevance 按页面相关度，constant 为论文原式 9.5，auto 随 RWB 方式而定。
TOPICCRAWL_IPAGERANK_TELEPORT = "auto"  # auto, relevance, constant
# Analyzed pages between two ranking rounds (thesis 9.2).
# 每抓取多少页重算一次排名（论文 9.2）。
TOPICCRAWL_IPAGERANK_EVERY_PAGES = 100  # integer ≥ 1; pages
# Iterations of one ranking round.
# 每次重算的迭代次数。
TOPICCRAWL_IPAGERANK_ITERATIONS = 5  # integer ≥ 1
# Damping factor of IPageRank and PageRank.
# IPageRank 与 PageRank 的阻尼系数。
TOPICCRAWL_IPAGERANK_DAMPING = 0.85  # number 0 … 0.999
# Folder of WordNet 3 (Debian: `/usr/share/wordnet`) or its `data.noun`, for the strategy `semantic`
# on English topics; empty: not used.
# semantic 策略：英文主题所用 WordNet 的目录（data.noun），空为不用。
TOPICCRAWL_SEMANTIC_WORDNET = ""
# File of word vectors in word2vec's format (`.bin` and `.bin.gz` binary, else text) for the
# strategy `semantic`. Without one, vectors are learned from the topic's samples if these have
# 20,000 words. Both need the extra `semantic`.
# semantic 策略：word2vec 格式的词向量文件，空为不用（样本达两万词时自行训练）；均需安装 semantic 附
# 加包。
TOPICCRAWL_SEMANTIC_VECTORS = ""
# Follow links marked `rel=nofollow` and all links of pages whose robots meta contains nofollow.
# 是否跟随 nofollow 链接。
TOPICCRAWL_LINKS_FOLLOW_NOFOLLOW = False

# --- Frontier 待抓队列 ----------------------------------------------------------------------------
# Where queued links are kept. `sqlite`: a file beside the store, which survives kill -9 and may be
# shared by several processes; the same command resumes the crawl. `redis`: a server for many
# machines (`REDIS_URL`; see topiccrawl/cluster/settings.py). `memory`: nothing outlives the
# process; also used when neither a store nor a folder is given. Or the dotted path of an opener of
# your own. See docs/frontier.md.
# sqlite：库文件旁的单个文件，强制终止不丢数据，多进程可共用，重复同一命令即续抓；redis：多机共用
# （见 topiccrawl/cluster/settings.py）；memory：仅存于内存；也可为自定义队列的点号路径。
TOPICCRAWL_FRONTIER_BACKEND = "sqlite"  # name or dotted path
# Folder of the SQLite frontier; empty: beside a SQLite store, `data` with another one.
# SQLite 队列所在目录，空为与库同目录。
TOPICCRAWL_FRONTIER_DIR = ""
# First part of all keys in Redis. Installations that share a server need different ones.
# Redis 键名前缀，多套系统共用一台 Redis 时用以区分。
TOPICCRAWL_FRONTIER_PREFIX = "topiccrawl"
# Maximum number of queued links; beyond it the worst are dropped. 0: no limit (about 1 KB of memory
# each with `memory`).
# 队列最多保留的链接数，超出时丢弃得分最低者；0 为不限（memory 方式每条约占 1 KB 内存）。
TOPICCRAWL_FRONTIER_MAX_LINKS = 0  # integer ≥ 0; links
# Number of finished links that are remembered exactly; older ones are kept in Bloom filters with an
# error rate of 1e-6 each.
# 精确记住的已抓链接数，更早者转入布隆过滤器（每个误判率百万分之一）。
TOPICCRAWL_FRONTIER_EXACT_LINKS = 5_000_000  # integer ≥ 1000; links
# In queues of over 20,000 links, a score is updated when the new one differs by more than this
# share of the old one.
# 队列超过两万条时，新旧得分的相对差超过此值才更新。
TOPICCRAWL_FRONTIER_SCORE_TOLERANCE = 0.001  # number ≥ 0; share
# A link that was handed out and has no outcome after this time returns to the queue.
# 取出后超过此时间仍无结果的链接重新入队（秒）。
TOPICCRAWL_FRONTIER_LEASE_SECONDS = 1800  # number ≥ 1; seconds
# A worker without a heartbeat for this time counts as dead, and others get its links; with `sqlite`
# this is detected at once.
# 多久没有心跳即视为工作进程已死，其链接交给别的进程（秒；sqlite 方式立即得知）。
TOPICCRAWL_FRONTIER_WORKER_SECONDS = 60  # number ≥ 1; seconds
# Maximum number of pages of one host; 0: no limit.
# 单个主机可抓页数；0 为不限。
TOPICCRAWL_HOST_BUDGET_PAGES = 2000  # integer ≥ 0; pages
# Pages that each relevant page adds to the budget of its host: a host with 5 % relevant pages never
# reaches it.
# 每个相关页面给主机增加的可抓页数。
TOPICCRAWL_HOST_BUDGET_GROWTH = 20  # integer ≥ 0; pages
# Maximum number of pages of a site that is crawled as a whole (`whole = true`, docs/sites.md), if
# it is more than that of any host. 0: the same as for any host.
# 整站抓取（whole = true）的站点可抓页数，大于单个主机的限额时有效；0 为与其他主机相同。
TOPICCRAWL_SITE_PAGES = 10000  # integer ≥ 0; pages
# A run ends when this worker has fetched so many HTML pages; robots.txt, redirects, errors and
# other files do not count, unlike in Scrapy's `CLOSESPIDER_PAGECOUNT`. 0: no limit, or the topic's
# `max_pages`. The topic spider takes `-a pages=…` as well.
# 本次运行（每个工作进程）抓满这么多 HTML 网页即结束；robots.txt、重定向、出错和其他文件不计；0 为不
# 限（或用主题的 max_pages）；也可用 -a pages=…。
TOPICCRAWL_MAX_PAGES = 0  # integer ≥ 0; pages
# A crawl that finds nothing for long, or runs out of links, tries the sites above the relevant
# pages it has found, and the folders that pages link to (docs/scoring.md). `False`: stagnation is
# only reported.
# 长时间无新发现（停滞）或队列抓空时，以相关页面的站点首页和有链接的上级目录为新种子；False 则只作提
# 示。
TOPICCRAWL_RESEED = True
# First delay before a failed link is tried again; four times longer each time, at most six hours.
# Scrapy's quick retries (`RETRY_TIMES`) come before.
# 失败页面的首次重试延迟（秒），之后每次四倍，至多六小时。
TOPICCRAWL_RETRY_DELAY_SECONDS = 60  # number ≥ 0; seconds
# A link is given up after this many failed attempts.
# 失败达到此次数后放弃。
TOPICCRAWL_RETRY_MAX_ATTEMPTS = 3  # integer ≥ 1; attempts

# --- Traps 爬虫陷阱 -------------------------------------------------------------------------------
# URLs that sites generate without end; docs/urls.md gives each rule with its reason and its risk. 0
# turns a rule off.
# 网站无限生成的地址；0 为关闭该项；说明见 docs/urls.md。

# Maximum length of a URL.
# URL 的最大长度。
TOPICCRAWL_TRAP_MAX_URL_CHARS = 2000  # integer ≥ 0; characters
# Maximum depth of a path.
# 路径的最大层数。
TOPICCRAWL_TRAP_MAX_PATH_DEPTH = 16  # integer ≥ 0; segments
# Maximum number of labels (parts between dots) of a host name.
# 主机名的最大层数。
TOPICCRAWL_TRAP_MAX_HOST_LABELS = 8  # integer ≥ 0; labels
# A label occurs this often in a host name.
# 主机名中同一标签重复的次数。
TOPICCRAWL_TRAP_REPEATED_LABELS = 3  # integer, 0 or ≥ 2; times
# A segment, or a sequence of up to five, is repeated this often in a row.
# 同一路径段（或至多五段的序列）连续重复的次数。
TOPICCRAWL_TRAP_REPEATED_SEGMENTS = 3  # integer, 0 or ≥ 2; times
# A parameter occurs this often with the same value.
# 同名同值参数重复的次数。
TOPICCRAWL_TRAP_REPEATED_PARAMETERS = 3  # integer, 0 or ≥ 2; times
# Maximum number of parameters of a query.
# 查询串的最大参数个数。
TOPICCRAWL_TRAP_MAX_PARAMETERS = 24  # integer ≥ 0; parameters
# Pages of a calendar further in the future.
# 日历页面超出今后此月数的部分。
TOPICCRAWL_TRAP_CALENDAR_MONTHS = 12  # integer ≥ 0; months
# Pages of a calendar before this year.
# 日历页面早于此年份的部分。
TOPICCRAWL_TRAP_CALENDAR_FIRST_YEAR = 1990  # integer ≥ 0; year
# A family of URLs (numbers count as equal) is left after this many pages in a row whose text was on
# other pages of the host already; a folder, a script or a host after twice as many.
# 同一类地址（数字视为相同）连续多少页没有新内容（文字都在该主机其他页面上出现过）时放弃；目录、脚本
# 和主机为两倍；0 为关闭。
TOPICCRAWL_PATTERN_BUDGET_PAGES = 30  # integer ≥ 0; pages
# Host names of one registered domain (`example.com.cn`) that are contacted; one more for every two
# new pages on the topic.
# 同一注册域名（如 `example.com.cn`）下最多访问的主机名个数；每两个新的切题页面增加一个；0 为关闭。
TOPICCRAWL_DOMAIN_BUDGET_HOSTS = 200  # integer ≥ 0; host names
# Learn for each host which URL parameters change nothing, and leave them out.
# 自动学习各主机无意义的 URL 参数并去除。
TOPICCRAWL_LEARN_PARAMETERS = True
# Learn from equal pages which hosts are mirrors (http and https, www, m, wap) and which addresses
# are versions of a page for printing or for phones, and fetch each page once.
# 根据内容相同的页面自动学习镜像主机（http/https、www、m、wap）以及打印版、手机版地址，每页只抓一
# 次。
TOPICCRAWL_LEARN_MIRRORS = True

# --- Politeness 抓取礼仪 --------------------------------------------------------------------------
# In addition to Scrapy's own settings below; the rules are in docs/frontier.md.
# Scrapy 自身的相关设置见下文。

# Time windows of hosts that may only be contacted at certain times, by pattern: `{"*.gov.cn":
# "22:00-06:00", "www.example.cn": "Mon-Fri 20:00-07:00, Sat-Sun 00:00-24:00"}` (JSON on the command
# line). The most specific pattern decides.
# 按主机限定抓取时段（分时任务），取最具体的匹配。
TOPICCRAWL_HOST_WINDOWS: dict[str, str] = {}
# Time zone of the windows, an IANA name.
# 时段所用的时区（IANA 名称）。
TOPICCRAWL_HOST_WINDOWS_TIMEZONE = "Asia/Shanghai"
# Upper limit of the Crawl-delay in robots.txt; 0: Crawl-delay is ignored.
# robots.txt 的 Crawl-delay 上限（秒）；0 为忽略。
TOPICCRAWL_CRAWL_DELAY_MAX_SECONDS = 60  # number ≥ 0; seconds
# Longest pause that a Retry-After header can request.
# Retry-After 的上限（秒）。
TOPICCRAWL_RETRY_AFTER_MAX_SECONDS = 3600  # number ≥ 0; seconds
# First pause of a host after 429 or 503 without Retry-After, or after three failures in a row;
# doubled each time. 0: the delay of the host.
# 429、503 未注明时间或连续三次失败后的首次停顿（秒），之后倍增。
TOPICCRAWL_BACKOFF_SECONDS = 10  # number ≥ 0; seconds

# --- Blocks 非内容页 ------------------------------------------------------------------------------
# Block pages, captchas, login walls, error pages with status 200 and empty shells are not stored:
# docs/not-content.md.
# 拦截页、验证页、登录页、软 404 和空壳页不入库；说明见 docs/not-content.md。

# Whether pages that are not content are recognized. Off: they are judged like others.
# 是否识别非内容页；关闭后与其他页面同样处理。
TOPICCRAWL_NOT_CONTENT = True
# First rest of a host after three block pages or captchas in a row; doubled each time.
# 主机连续三次返回拦截页或验证页后的首次停歇（秒），之后倍增。
TOPICCRAWL_BLOCKED_REST_SECONDS = 600  # number ≥ 0; seconds
# Least delay between requests to a host that has answered with a block page.
# 返回过拦截页的主机，其请求间隔的下限（秒）。
TOPICCRAWL_BLOCKED_DELAY_SECONDS = 5  # number ≥ 0; seconds
# A run ends when nothing but the rest of blocked hosts is left to wait for and the next rest ends
# later than this; the links stay queued.
# 只剩被拦截的主机可等，且最近的停歇结束时间比这更远（秒）时，本次运行结束，待抓链接保留。
TOPICCRAWL_BLOCKED_WAIT_SECONDS = 1800  # number ≥ 0; seconds

# --- Network 网络 ---------------------------------------------------------------------------------
# What may be contacted, and what happens without a network: docs/network.md.
# 允许访问的地址，以及断网时的处理；说明见 docs/network.md。

# Exceptions to the rule that only addresses of the public internet are contacted, for an intranet:
# networks (`10.0.0.0/8`), names (`wiki.corp.cn`, `*.corp.cn`) or `all`.
# 默认只访问公网地址；内网来源在此列出：网段、主机名（可用 *. 开头）或 all（全部）。
TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED: tuple[str, ...] = ()
# Most requests of a worker to one IP address at a time, and in the time of one `DOWNLOAD_DELAY`,
# whatever number of host names it has; 0: no limit.
# 每个工作进程对同一 IP 地址的并发请求数上限（也是一个 DOWNLOAD_DELAY 内的请求数上限），不论其有多少
# 主机名；0 为不限。
TOPICCRAWL_REQUESTS_PER_ADDRESS = 8  # integer ≥ 0; requests
# How long a crawl that has lost the network tries to get it back before it ends; its links stay
# queued. A crawl that never reached anything ends at once.
# 抓取途中断网后继续尝试多久（秒），之后结束，待抓链接保留；一开始就无法联网则立即结束。
TOPICCRAWL_OFFLINE_SECONDS = 1800  # number ≥ 0; seconds

# --- Logins 登录 ----------------------------------------------------------------------------------
# Sites that show their pages only to a session: docs/access.md.
# 需要登录才能访问的站点；说明见 docs/access.md。

# File of the logins; empty: `logins.toml` in the topic's folder, if it exists; `none`: no logins.
# 登录说明文件；为空则用主题目录中的 logins.toml（如有）；none 为不用登录。
TOPICCRAWL_LOGINS = ""
# How long a login rests after a try that did not help; doubled each time, and given up after the
# fifth.
# 登录无效后再次尝试前的等待时间（秒），每次加倍，第五次后放弃。
TOPICCRAWL_LOGIN_PAUSE_SECONDS = 60  # number ≥ 0; seconds

# --- Proxies 代理 ---------------------------------------------------------------------------------
# Proxies that are chosen by their health: docs/proxies.md.
# 按健康状况选用的代理；说明见 docs/proxies.md。

# Proxies: `http://host:port`, `http://user:password@host:port` or `socks5://…`. Passwords are
# better kept in `TOPICCRAWL_PROXY_FILE`.
# 代理列表（`http://…`、`socks5://…`）；带密码的代理宜写入 TOPICCRAWL_PROXY_FILE。
TOPICCRAWL_PROXIES: tuple[str, ...] = ()
# A text file of proxies, one in a line. With passwords in it, only its owner may read it (mode
# 600).
# 代理列表文件，每行一个；含密码时文件权限须为 600。
TOPICCRAWL_PROXY_FILE = ""
# Address of a proxy pool with the interface of `jhao104/proxy_pool` (`http://127.0.0.1:5010`);
# proxies are taken from its `/get/`.
# 代理池地址（接口同 jhao104/proxy_pool），由其 /get/ 取代理。
TOPICCRAWL_PROXY_POOL = ""
# How many usable proxies are taken from the pool.
# 从代理池取用的可用代理数。
TOPICCRAWL_PROXY_POOL_SIZE = 20  # integer ≥ 1; proxies
# Hosts whose pages take a proxy (`a.cn`, `*.a.cn`); none: all. Search engines are asked through a
# proxy only if they are named here.
# 经由代理抓取的主机（可用 *. 开头），默认全部；搜索引擎仅在此列出时才经由代理。
TOPICCRAWL_PROXY_SITES: tuple[str, ...] = ()
# A site keeps its proxy while that works.
# 同一站点在代理可用期间固定使用同一代理。
TOPICCRAWL_PROXY_STICKY = True
# Most proxies that one request is tried through before its link returns to the queue.
# 一次请求最多依次尝试的代理数，之后链接退回队列。
TOPICCRAWL_PROXY_TRIES = 6  # integer ≥ 1; proxies
# Longest time for an answer through one proxy; less for one that usually answers fast.
# 单个代理的最长响应时间（秒）；平时响应快的代理按更短时间判定。
TOPICCRAWL_PROXY_TIMEOUT_SECONDS = 20  # number ≥ 0.1; seconds
# First rest of a proxy that failed; doubled each time, up to half an hour.
# 失效代理的首次停用时间（秒），之后倍增，最长半小时。
TOPICCRAWL_PROXY_REST_SECONDS = 10  # number ≥ 0; seconds
# While no proxy works, fetch without one. Otherwise the crawl waits.
# 所有代理均不可用时直接连接；默认等待。
TOPICCRAWL_PROXY_DIRECT = False

# --- Browser 浏览器 -------------------------------------------------------------------------------
# Pages that only a browser shows: docs/browser.md.
# 须由浏览器渲染的网页；说明见 docs/browser.md。

# Which pages are loaded in a browser: `off`: none; `named`: those of the sites that the topic
# names; `auto`: also pages without content whose template shows some in a browser. The topic spider
# takes `-a browser=1` for `auto`.
# 哪些网页用浏览器加载：off 不用；named 仅主题指定的站点；auto 另含无正文、经试验须渲染的页面模板；
# -a browser=1 等于 auto。
TOPICCRAWL_BROWSER = "named"  # off, named, auto
# Path of Chromium or Chrome; default: Playwright's own, else `chromium`, `google-chrome` and the
# like on the PATH.
# Chromium 或 Chrome 的路径；默认先用 Playwright 自带的，再查 PATH。
TOPICCRAWL_BROWSER_EXECUTABLE = ""
# Run the browser in its sandbox. It does not start as root then, nor in most containers.
# 启用浏览器沙箱；以 root 运行或在多数容器内须关闭。
TOPICCRAWL_BROWSER_SANDBOX = True
# Pages that are loaded at a time.
# 同时加载的网页数。
TOPICCRAWL_BROWSER_PAGES = 2  # integer ≥ 1; pages
# Time for one page, the waiting for its scripts and their data included.
# 单个网页的加载时限（秒），含等待脚本及其数据。
TOPICCRAWL_BROWSER_SECONDS = 30  # number ≥ 1; seconds
# Most requests of the scripts of one page.
# 单个网页的脚本最多可发的请求数。
TOPICCRAWL_BROWSER_REQUESTS = 60  # integer ≥ 1; requests
# Largest page that is taken from the browser.
# 渲染后网页的最大字节数。
TOPICCRAWL_BROWSER_MAX_BYTES = 4_194_304  # integer ≥ 1024; bytes
# Kinds of sub-requests that are not sent: `image`, `font`, `media`, `stylesheet`, `script`, `xhr`,
# `fetch`, `texttrack`, `manifest`, `other`. Style sheets are always replaced by empty ones.
# 不加载的资源类型；样式表一律以空样式代替。
TOPICCRAWL_BROWSER_BLOCKED = ("image", "font", "media")

# --- Pages 页面 -----------------------------------------------------------------------------------
# How the body text is found: `blocks`, a learned block classifier, `text-density`, the method of
# document 001 (docs/page-analysis.md), or the dotted path of an extractor of your own.
# 正文抽取方法：blocks（默认，机器学习）、text-density（文献 001 的文本密度法），或自定义抽取器的点
# 号路径。
TOPICCRAWL_BODY_EXTRACTOR = "blocks"  # name or dotted path
# CPU time that the analysis of a page may take; one that takes longer is given up
# (`analysis-timeout`). With `TOPICCRAWL_ANALYSIS_PROCESSES` 0 this holds for large pages, which are
# first read in a child process. 0: no limit.
# 分析一个网页可用的 CPU 时间，超时即放弃（analysis-timeout）；TOPICCRAWL_ANALYSIS_PROCESSES 为 0 时
# 只对大网页有效（先在子进程中试读）；0 为不限时。
TOPICCRAWL_PAGE_CPU_SECONDS = 3  # number ≥ 0; seconds
# Maximum number of sentences of a stored page's summary; 0: no summary. Summary and keywords
# together take about 2 ms of a page.
# 每个入库页面的摘要句数上限；0 为不生成。摘要与关键词合计每页约 2 毫秒。
TOPICCRAWL_SUMMARY_SENTENCES = 3  # integer ≥ 0; sentences
# Maximum number of keywords of a stored page; 0: none.
# 每个入库页面的关键词个数上限；0 为不生成。
TOPICCRAWL_KEYWORDS = 10  # integer ≥ 0; terms
# Processes that analyze pages, so that no page stops the event loop (docs/page-analysis.md);
# `auto`: the cores less one, and none where processes cannot be forked (all but Linux); 0: the
# crawl's own process does it.
# 分析网页的进程数，使任何网页都不会阻塞事件循环；auto 为核数减一（不能 fork 的系统为 0，即非
# Linux）；0 为在抓取进程内分析。
TOPICCRAWL_ANALYSIS_PROCESSES = "auto"  # `auto` or integer ≥ 0; processes
# Leave lines out of the bodies of a crawl that their host repeats on many pages: editors,
# disclaimers, slogans (docs/page-analysis.md). The first pages of a host keep them, and so does
# `scrapy extract`, which sees one page at a time.
# 抓取时从正文中去掉同一主机许多网页重复的行（责任编辑、声明、口号等）；每个主机最初的几页仍保留，逐
# 页处理的 scrapy extract 也不去除。
TOPICCRAWL_HOST_LINES = True
# A page with a shorter body (lists, frames, empty pages) is not stored (`no-body`); its links are
# used. See the next setting for exceptions.
# 正文短于此长度的页面不入库（列表、框架、空页），但其链接仍被使用；例外见下一项。
TOPICCRAWL_BODY_MIN_CHARS = 50  # integer ≥ 0; characters
# Store relevant pages with a shorter body all the same when they are about one thing: picture
# series, videos, products, short entries, which have a title and captions or a summary
# (docs/page-analysis.md). Lists are never stored.
# 正文虽短但内容单一的相关页面（图集、视频、商品、短词条，有标题和图注或摘要）仍入库；列表页除外。
TOPICCRAWL_KEEP_SHORT_PAGES = True
# Least relevance of a stored page; 0: the topic's own threshold (topic.toml, or learned from its
# samples).
# 页面过滤的相关度阈值；0 表示采用主题自己的阈值。
TOPICCRAWL_RELEVANCE_THRESHOLD = 0.0  # number 0 … 1; cosine
# Learn during the crawl which pages are on topic, and judge pages again (docs/classifier.md). Off,
# or if a threshold is set (the setting above, or `thresholds.relevance` of the topic): the
# relevance alone decides.
# 在抓取过程中学习哪些网页切题，并重新判断已抓网页；关闭时（或设定了相关度阈值时）仅按相关度判断。
TOPICCRAWL_PAGE_CLASSIFIER = True
# What the classifier's threshold is chosen for: `precision` (about 90 % of what is kept is on
# topic), `balanced` (best F1) or `recall` (about 90 % of what is on topic is kept).
# 保留网页的取舍：precision 求准（约九成切题）、balanced 兼顾（F1 最高）、recall 求全（约九成切题页
# 保留）。
TOPICCRAWL_BALANCE = "balanced"  # precision, balanced, recall
# Let the classifier compare the meaning of pages with the topic's words when it chooses the pages
# that it starts from, and the strategy `adaptive` compare link texts with the pages found, if the
# extra `meaning` is installed (docs/classifier.md, docs/adaptive.md): 150 MB of memory, 2 to 4 ms a
# page.
# 分类器挑选起始网页时比较网页与主题词的语义，adaptive 策略比较链接文字与已找到网页的语义（须安装附
# 加包 meaning）：占内存 150 MB，每页 2 至 4 毫秒。
TOPICCRAWL_MEANING = True
# Pages between two times that the store follows the classifier in the middle of a crawl: pages
# leave, return or enter. 0: only when the crawl closes. With less than the default the store is up
# to date sooner, but two equal crawls differ more in the reasons that it records: a young crawl
# often changes its mind, and what is in the store by then depends on the clock.
# 抓取途中每隔多少页按新的判断更新库中网页（撤回、恢复、补入）；0 表示仅在结束时更新。
TOPICCRAWL_JUDGE_AGAIN_EVERY_PAGES = 1000  # integer ≥ 0; pages
# Pages of the queue erased by `-a fresh=1` from which the classifier of the new crawl learns until
# it has fetched them itself: the newest ones. 0: none.
# `-a fresh=1` 清空队列时，保留多少个最近抓取的网页供新一次抓取的分类器学习（重新抓取后以新内容为
# 准）；0 为不保留。
TOPICCRAWL_EARLIER_PAGES = 2000  # integer ≥ 0; pages
# How copies of a text are found (docs/duplicates.md): `stories` compares texts and titles; `titles`
# is the rule of document 001, similar titles or equal texts; `off` finds none. Copies are stored as
# copies of the page that represents them, and not listed beside it.
# 如何识别重复与转载：stories 比较正文与标题；titles 为文献 001 的方法（标题相似或正文相同）；off 不
# 识别。副本照常入库，但不与代表网页并列。
TOPICCRAWL_DUPLICATES = "stories"  # stories, titles, off
# Titles at least this similar are copies, with `TOPICCRAWL_DUPLICATES=titles` (document 001).
# 标题去重的相似度阈值（文献 001），用于 TOPICCRAWL_DUPLICATES=titles。
TOPICCRAWL_TITLE_DEDUP_THRESHOLD = 0.8  # number 0.01 … 1; similarity
# Pages of one article (第 2 页, 下一页), at most, that are fetched with its first one and joined to
# one text; below 2: each is a page of its own.
# 一篇分页文章（第 2 页、下一页）最多抓取并合并多少页正文；小于 2 表示各页分别入库。
TOPICCRAWL_ARTICLE_PARTS = 30  # integer ≥ 0; pages
# Follow links to documents (PDF, Word, Excel, PowerPoint, OFD, RTF, plain text) and store those on
# the topic like pages (docs/documents.md).
# 跟进指向文档（PDF、Word、Excel、PPT、OFD、RTF、纯文本）的链接，切题的文档与网页一样入库。
TOPICCRAWL_DOCUMENTS = True
# Size of a document, at most, if its link names one (`.pdf`, `.docx` …); for other responses
# `DOWNLOAD_MAXSIZE` holds.
# 链接指明为文档（.pdf、.docx 等）时允许下载的最大字节数；其他响应仍受 DOWNLOAD_MAXSIZE 限制。
TOPICCRAWL_DOCUMENT_MAX_BYTES = 20_000_000  # integer ≥ 1000; bytes
# CPU time that reading a document may take, in a child process; one that takes longer is given up
# (`document-timed-out`).
# 读取一个文档可用的 CPU 时间（在子进程中），超时即放弃（document-timed-out）。
TOPICCRAWL_DOCUMENT_CPU_SECONDS = 6  # number 0.5 … 600; seconds

# --- Store 存储 -----------------------------------------------------------------------------------
# Address of the store: `sqlite:///relative/path.sqlite`, `sqlite:////absolute/path.sqlite` or
# `mongodb://host:27017/database`; a file whose name ends in `.sqlite`, `.sqlite3` or `.db` is a
# SQLite store, too; see docs/store.md. Empty: nothing is stored, feeds still work; this is the
# default of a project that only enables the add-on.
# 存储地址，或 SQLite 数据库文件（.sqlite、.sqlite3、.db）；空字符串表示不入库（feed 导出仍可用），
# 只启用插件的项目默认为空。
TOPICCRAWL_STORE_URI = "sqlite:///data/topiccrawl.sqlite"
# Keep the HTML of stored pages, compressed with zlib.
# 是否保存压缩后的原始 HTML。
TOPICCRAWL_STORE_HTML = False
# Keep the body of stored pages also as Markdown, with headings, lists, tables, quotations, code and
# images, and the address of the main image (docs/page-analysis.md).
# 是否同时以 Markdown 保存正文（标题、列表、表格、引文、代码、图片）及主图地址。
TOPICCRAWL_STORE_MARKDOWN = False
# A batch is written when this many records are waiting.
# 攒够多少条即写入。
TOPICCRAWL_STORE_BATCH_PAGES = 100  # integer ≥ 1; records
# A batch is written at the latest this long after its first record.
# 首条记录等待超过此时间（秒）即写入。
TOPICCRAWL_STORE_FLUSH_SECONDS = 0.2  # number ≥ 0; seconds
# Maximum number of stored near misses of a topic: pages that are not kept, but may be by a later
# judgment, without being fetched again: any page of a young crawl, later those near the threshold.
# The least probable ones are deleted. 0: none are stored.
# 每个主题最多保存的备选页面数：未入库而复判可能合格的页面，抓取之初为全部，以后为接近阈值的，入库时
# 无需重新抓取；超出时先删除概率最低的；0 为不保存。
TOPICCRAWL_NEAR_MISSES = 5000  # integer ≥ 0; pages
# Folder where records wait while the store is unavailable.
# 数据库不可用期间的暂存目录。
TOPICCRAWL_STORE_SPOOL_DIR = "data/spool"
# Number of the best queued links that are stored as outcomes `queued` at the end of a run, where
# `scrapy explain` finds them.
# 运行结束时保存得分最高的若干待抓链接，供 scrapy explain 查询。
TOPICCRAWL_STORE_QUEUED_LINKS = 1000  # integer ≥ 0; links

# --- Versions 版本 --------------------------------------------------------------------------------
# Maximum number of former versions that are kept of each page. Beyond it, older ones are thinned
# out, never the first and the last, so that 1 keeps two. 0: none are kept. See docs/store.md.
# 每个页面最多保留的旧版本数。超出时从较早的版本中抽稀，首个和最近一个始终保留，因此 1 也会保留两
# 个；0 为不保留。
TOPICCRAWL_VERSIONS_PER_PAGE = 50  # integer ≥ 0; versions

# --- Privacy 隐私 ---------------------------------------------------------------------------------
# Pages that were first fetched longer ago are deleted when a crawl of the topic starts, and by
# `scrapy forget TOPIC --expired`; they are not fetched again. 0: pages are kept. See
# docs/privacy.md.
# 首次抓取早于此天数的页面在该主题开始抓取时删除，也可用 `scrapy forget TOPIC --expired` 删除；删除
# 后不再抓取。0 为一直保留。
TOPICCRAWL_RETENTION_DAYS = 0  # integer ≥ 0; days
# Mobile numbers, identity numbers and e-mail addresses are masked in feeds (`-O pages.csv`) of
# pages, as in `scrapy export`. See docs/privacy.md.
# 页面的数据导出（`-O pages.csv`）中遮盖手机号、身份证号和电子邮箱，与 `scrapy export` 相同。
TOPICCRAWL_MASK_FEEDS = True

# --- Refresh 更新 ---------------------------------------------------------------------------------
# Pages that are visited again, and how often: docs/revisits.md.
# 已入库页面的回访及其频率；说明见 docs/revisits.md。

# Share of the requests of a crawl that are revisits of stored pages and lists; 0: none. 1: nothing
# but revisits and the new pages that they lead to, as `scrapy refresh` does.
# 抓取请求中用于回访已有网页和列表页的比例；0 为不回访；1 为只回访，并抓取由此发现的新页面（即
# scrapy refresh）。
TOPICCRAWL_REFRESH_SHARE = 0.0  # number 0 … 1; share
# How revisits are ordered. `optimal` needs known change rates; see docs/revisits.md.
# 回访的排序方法；optimal 须已知变化率；说明见 docs/revisits.md。
TOPICCRAWL_REFRESH_POLICY = "age-index"  # uniform, proportional, nutch, optimal, age-index
# Revisits of articles within 24 hours, at most; visits of list pages and feeds, which have a limit
# each, do not count. 0: no limit.
# 24 小时内最多回访多少个文章页；列表页和订阅源另有限制，不计在内；0 为不限。
TOPICCRAWL_REFRESH_PER_DAY = 1000  # integer ≥ 0; visits
# Least time between two visits of an article.
# 同一文章页两次访问的最短间隔（小时）。
TOPICCRAWL_REFRESH_LEAST_HOURS = 12  # number ≥ 0.01; hours
# How long a run of revisits goes on, waiting for what becomes due; 0: it ends when nothing is due.
# 只回访的运行持续多久（小时），期间等待到期的页面；0 为没有到期页面时即结束。
TOPICCRAWL_REFRESH_HOURS = 0.0  # number ≥ 0; hours
# Visits of one list page or feed within 24 hours, at most.
# 同一列表页或订阅源 24 小时内最多访问的次数。
TOPICCRAWL_LIST_VISITS_PER_DAY = 8  # integer ≥ 1; visits
# Ask for a page only if it has changed (`If-None-Match`, `If-Modified-Since`), where its site
# answers that truthfully.
# 回访时使用条件请求（If-None-Match、If-Modified-Since）；网站应答不实的除外。
TOPICCRAWL_REFRESH_CONDITIONAL = True

# --- Warnings 预警 --------------------------------------------------------------------------------
# Rules and channels are in a file of their own: docs/alerts.md.
# 规则和渠道写在单独的文件中；说明见 docs/alerts.md。

# File of rules and channels (`alerts.toml`). With it, a crawl that stores its pages watches its
# collection and its health; `scrapy alerts` and the console use it, too. Empty: no warnings.
# 规则和渠道的文件（alerts.toml）。设置后，有数据库的抓取在运行中检查库和自身状况；scrapy alerts 和
# 控制台也用它。空为不预警。
TOPICCRAWL_ALERTS = ""
# Time between two rounds of warnings while crawling.
# 抓取中两次检查的间隔（秒）。
TOPICCRAWL_ALERTS_SECONDS = 60  # number ≥ 1; seconds

# --- Progress 进度 --------------------------------------------------------------------------------
# Time between two progress lines in the log.
# 日志中进度行的间隔（秒）。
TOPICCRAWL_PROGRESS_INTERVAL_SECONDS = 60  # number ≥ 1; seconds
# Live line on standard error; `auto`: when that is a terminal.
# 终端实时进度。
TOPICCRAWL_PROGRESS_LIVE = "auto"  # auto, on, off

# --- Operation 运维 -------------------------------------------------------------------------------
# Control of running crawls, logs and monitors: docs/operation.md.
# 运行中的抓取的控制、日志与监控；说明见 docs/operation.md。

# Write the state of a crawl to a folder beside its queue, where `scrapy console` and `scrapy
# crawls` find it, and pause or stop it when they ask for it. Not for crawls that store nothing.
# 在队列旁的目录中写入抓取状态，供 scrapy console 和 scrapy crawls 查看、暂停和停止；不存储网页的抓
# 取除外。
TOPICCRAWL_CONTROL = True
# That folder; empty: `crawls` beside the queue.
# 该目录；空为队列旁的 crawls。
TOPICCRAWL_CONTROL_DIR = ""
# Time between two writes of the state, and between two looks at what is asked for.
# 两次写入状态（及查看控制请求）的间隔（秒）。
TOPICCRAWL_CONTROL_SECONDS = 2  # number ≥ 0.1; seconds
# Addresses of scrapyd servers, separated by blanks, whose jobs the console shows, starts and
# cancels: `http://127.0.0.1:6800`. A user and a password may be part of the address.
# scrapyd 服务器地址，以空格分隔；控制台可查看、启动和取消其任务，地址中可含用户名和密码。
TOPICCRAWL_SCRAPYD = ""  # URLs
# Log lines are JSON objects: `time`, `level`, `logger`, `message`, `topic`, `run`, `exception`.
# 日志每行为一个 JSON 对象：time、level、logger、message、topic、run、exception。
TOPICCRAWL_LOG_JSON = False
# The Spidermon suite reports a run that fetched fewer pages; revisits count.
# Spidermon 监控：运行抓取的网页（含回访）少于此数时报告。
TOPICCRAWL_MONITOR_LEAST_PAGES = 1  # integer ≥ 0; pages
# The Spidermon suite reports a run of at least 100 pages with a lower harvest rate.
# Spidermon 监控：抓取 100 页以上而收获率低于此值时报告。
TOPICCRAWL_MONITOR_LEAST_HARVEST_RATE = 0.0  # number 0 … 1; share
# The Spidermon suite reports a run of at least 100 outcomes of which a larger share failed.
# Spidermon 监控：结果在 100 个以上而失败比例高于此值时报告。
TOPICCRAWL_MONITOR_MOST_FAILED = 0.5  # number 0 … 1; share
# The Spidermon suite reports a run with more lines of level ERROR in its log.
# Spidermon 监控：日志中 ERROR 行多于此数时报告。
TOPICCRAWL_MONITOR_MOST_ERRORS = 0  # integer ≥ 0; times

# --- Cluster 集群 ---------------------------------------------------------------------------------
# With the settings module `topiccrawl.cluster.settings`; see docs/frontier.md.
# 配合 topiccrawl.cluster.settings 使用。

# A worker with nothing left to do waits for start URLs instead of ending.
# `MAX_IDLE_TIME_BEFORE_CLOSE`, if not 0, limits the time.
# 无事可做时继续等待新的起始网址，而不是结束；MAX_IDLE_TIME_BEFORE_CLOSE 不为 0 时以其为限。
TOPICCRAWL_CLUSTER_WAIT = False

# === End of the generated part 自动生成部分结束 ===

# --- Politeness (Scrapy settings) 抓取礼仪 --------------------------------------------------------
USER_AGENT = f"topiccrawl/{__version__} (focused crawler)"
ROBOTSTXT_OBEY = True
CONCURRENT_REQUESTS = 16
CONCURRENT_REQUESTS_PER_DOMAIN = 1
DOWNLOAD_DELAY = 1.0
# No random shortening of the delay. 间隔不作随机缩短。
DOWNLOAD_DELAY_JITTER = 0.0
AUTOTHROTTLE_ENABLED = True
AUTOTHROTTLE_START_DELAY = 1.0
DOWNLOAD_TIMEOUT = 60
# Scrapy's default is 1 GiB. Scrapy 默认为 1 GiB，过大。
DOWNLOAD_MAXSIZE = 4 * 1024 * 1024
DOWNLOAD_WARNSIZE = 2 * 1024 * 1024
COOKIES_ENABLED = False
# The parent of a page is stored with it; the header would only show sites where the crawl came from.
# 不向网站透露来源页面。
REFERRER_POLICY = "no-referrer"

# --- Other Scrapy settings 其他 -------------------------------------------------------------------
# A page yields one item; with Scrapy's default, a hundred worker tasks would idle on each page.
# 每页只产生一个条目，默认的一百个任务并无用处。
CONCURRENT_ITEMS = 4
# Scrapy 2.19 opens a port on localhost that executes code; a crawler on a server must not.
# 2.19 默认在本机开放可执行代码的端口，服务器上必须关闭。
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False
# The end of a crawl does not wait for names whose servers are silent. 结束时不等待无响应的域名解析。
TWISTED_DNS_RESOLVER = "topiccrawl.network.resolver.DaemonResolver"
# Chinese stays readable in exported feeds. 导出中文不转义。
FEED_EXPORT_ENCODING = "utf-8"
# The outcome of each page is stored; a network that is away would be a line for each.
# 每个页面的结果都会入库，不必逐条记录放弃重试。
RETRY_GIVE_UP_LOG_LEVEL = "DEBUG"
# Feeds of tables are like the files of `scrapy export`. 表格形式的 feed 与 scrapy export 的文件相同。
FEED_EXPORTERS = {
    "csv": "topiccrawl.extensions.feeds.CsvExporter",
    "xlsx": "topiccrawl.extensions.feeds.XlsxExporter",
}
LOG_LEVEL = "INFO"
# No records are made for lines that are not written: two for each page. 不为不输出的日志行生成记录。
LOG_FORMATTER = "topiccrawl.extensions.loglines.PageLines"
# A run ends with a summary. All statistics are stored with the run; they are logged into a LOG_FILE and
# at the level DEBUG. True logs them everywhere.
# 运行结束时输出摘要；全部统计随运行记录入库，也写入日志文件（LOG_FILE）和 DEBUG 级日志；True 则总是输出。
STATS_DUMP = False
