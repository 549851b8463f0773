"""Scrapy settings of the project: all of ours with their defaults, and the Scrapy ones we change.

本文件列出 topiccrawl 的全部设置及默认值；每项均有中英文说明。命令行用 -s 名称=值 覆盖。
Override on the command line with ``-s NAME=VALUE``, or in a settings module of your own.
"""

from topiccrawl import __version__

BOT_NAME = "topiccrawl"
SPIDER_MODULES = ["topiccrawl.spiders"]
NEWSPIDER_MODULE = "topiccrawl.spiders"
COMMANDS_MODULE = "topiccrawl.commands"

# The parts are put in their places by the add-on, as in any other project that uses them.
# 各组件由插件统一装配，其他 Scrapy 项目加上这一行即可使用。
ADDONS = {"topiccrawl.addon.TopicCrawlAddon": 100}

# --- Topic 主题 ---------------------------------------------------------------------------------
# Topic of spiders other than `topic` (name or path); the topic spider takes -a topic=…
# 供其他爬虫使用的主题；topic 爬虫用 -a topic=… 指定。
TOPICCRAWL_TOPIC = ""
# Seed of all random draws: same seed, same web, same order (at CONCURRENT_REQUESTS=1).
# 随机种子：同一种子、同一网络，抓取顺序相同（并发为 1 时）。
TOPICCRAWL_SEED = 1

# --- Link scores 链接评分 ------------------------------------------------------------------------
# Crawl strategy by name; `scrapy topics --strategies` is not needed: a wrong name lists them all.
# 链接排序策略名；写错时会列出全部可用名称。
TOPICCRAWL_STRATEGY = "ipagerank-rwb"
# "capped" (default) limits RWB's third chance, "thesis" is the literal formula 9.3.
# RWB 第三种机会：capped 为修正版（默认），thesis 为论文原式 9.3。
TOPICCRAWL_RWB_MODE = "capped"
# "relevance" teleports by page relevance, "constant" is the literal formula 9.5;
# "auto" takes what belongs to the RWB mode: relevance for capped, constant for thesis.
# IPageRank 的跳转项：relevance 按页面相关度，constant 为论文原式 9.5，auto 随 RWB 方式而定。
TOPICCRAWL_IPAGERANK_TELEPORT = "auto"
# Recompute IPageRank after this many pages, with this many iterations (thesis 9.2).
# 每抓取多少页重算一次 IPageRank，以及迭代次数（论文 9.2）。
TOPICCRAWL_IPAGERANK_EVERY_PAGES = 100
TOPICCRAWL_IPAGERANK_ITERATIONS = 5
TOPICCRAWL_IPAGERANK_DAMPING = 0.85
# Strategy "semantic": WordNet's folder (data.noun) for English topics, "" for none.
# semantic 策略：英文主题所用 WordNet 的目录（data.noun），空为不用。
TOPICCRAWL_SEMANTIC_WORDNET = ""
# Strategy "semantic": a file of word vectors in word2vec's format, "" for none.
# semantic 策略：word2vec 格式的词向量文件，空为不用。
TOPICCRAWL_SEMANTIC_VECTORS = ""
# Follow links marked rel=nofollow, and links of pages with robots meta nofollow.
# 是否跟随 nofollow 链接。
TOPICCRAWL_LINKS_FOLLOW_NOFOLLOW = False

# --- Frontier 待抓队列 ---------------------------------------------------------------------------
# "sqlite": a file beside the store; survives kill -9, several processes may share it, and the same
# command goes on where it stopped.  "redis": many machines (REDIS_URL; see settings_cluster.py).
# "memory": nothing outlives the process.
# sqlite：库文件旁的单个文件，强制终止不丢数据，多进程可共用，重复同一命令即续抓；
# redis：多机共用（见 settings_cluster.py）；memory：仅存于内存。
TOPICCRAWL_FRONTIER_BACKEND = "sqlite"
# Folder of the SQLite frontier; "" = beside the store. SQLite 队列所在目录，空为与库同目录。
TOPICCRAWL_FRONTIER_DIR = ""
# First part of all keys in Redis: installations that share a server take different ones.
# Redis 键名前缀，多套系统共用一台 Redis 时用以区分。
TOPICCRAWL_FRONTIER_PREFIX = "topiccrawl"
# At most this many queued links; the worst are forgotten; 0 = no limit (about 1 KB of memory each
# with "memory").
# 队列最多保留的链接数，超出时丢弃得分最低者；0 为不限（memory 方式每条约占 1 KB 内存）。
TOPICCRAWL_FRONTIER_MAX_LINKS = 0
# So many fetched links are remembered exactly, older ones in Bloom filters (error rate 1e-6 each).
# 精确记住的已抓链接数，更早者转入布隆过滤器（每个误判率百万分之一）。
TOPICCRAWL_FRONTIER_EXACT_LINKS = 5_000_000
# A queued link's score is changed when the new one differs by more than this.
# 新旧得分之差超过此值才更新队列。
TOPICCRAWL_FRONTIER_SCORE_TOLERANCE = 0.001
# A link that no outcome was recorded for returns to the queue after this long.
# 取出后超过此时间仍无结果的链接重新入队（秒）。
TOPICCRAWL_FRONTIER_LEASE_SECONDS = 1800
# A worker that is silent for this long is dead, and others get its links (with "sqlite" at once).
# 多久没有心跳即视为工作进程已死，其链接交给别的进程（秒；sqlite 方式立即得知）。
TOPICCRAWL_FRONTIER_WORKER_SECONDS = 60
# Pages of one host that may be fetched, and how many more each relevant one earns it; 0 = no limit.
# 单个主机可抓页数，以及每个相关页面增加的页数；0 为不限。
TOPICCRAWL_HOST_BUDGET_PAGES = 2000
TOPICCRAWL_HOST_BUDGET_GROWTH = 20
# Traps: addresses that sites make up without end; 0 turns a rule off; reasons in docs/urls.md.
# 爬虫陷阱规则：网站无限生成的地址；0 为关闭该项；说明见 docs/urls.md。
TOPICCRAWL_TRAP_MAX_URL_CHARS = 2000
TOPICCRAWL_TRAP_MAX_PATH_DEPTH = 16
TOPICCRAWL_TRAP_REPEATED_SEGMENTS = 3
TOPICCRAWL_TRAP_REPEATED_PARAMETERS = 3
TOPICCRAWL_TRAP_MAX_PARAMETERS = 24
TOPICCRAWL_TRAP_CALENDAR_MONTHS = 12
TOPICCRAWL_TRAP_CALENDAR_FIRST_YEAR = 1990
# A family of addresses (numbers replaced by 0) is left after so many pages that repeat a few texts.
# 同一类地址（数字视为相同）抓取多少页仍只有几种内容且均不相关时放弃；0 为关闭。
TOPICCRAWL_PATTERN_BUDGET_PAGES = 100
# Learn per host which URL parameters change nothing. 自动学习各主机无意义的 URL 参数。
TOPICCRAWL_LEARN_PARAMETERS = True
# A crawl that finds nothing for long, or runs out of links, tries the folders and sites above the
# relevant pages it has found; False: it only says so.
# 长时间无新发现（停滞）或队列抓空时，以已得相关页面的上级目录和站点首页为新种子；False 则只作提示。
TOPICCRAWL_RESEED = True
# Failed pages are tried again after this delay, four times longer each time, then given up.
# 失败页面的首次重试延迟（秒），之后每次四倍；达到次数后放弃。
TOPICCRAWL_RETRY_DELAY_SECONDS = 60
TOPICCRAWL_RETRY_MAX_ATTEMPTS = 3

# --- Pages 页面 ---------------------------------------------------------------------------------
# How the body is found: "blocks" (learned) or "text-density" (document 001).
# 正文抽取方法："blocks"（默认，机器学习）或 "text-density"（文献 001 的文本密度法）。
TOPICCRAWL_BODY_EXTRACTOR = "blocks"
# A page whose body is shorter is not stored (lists, frames, empty pages); its links are used.
# 正文短于此长度的页面不入库（列表、框架、空页），但其链接仍被使用。
TOPICCRAWL_BODY_MIN_CHARS = 50
# VSM threshold for keeping a page; 0 = the topic's own (topic.toml or learned from its samples).
# 页面过滤的相关度阈值；0 表示采用主题自己的阈值。
TOPICCRAWL_RELEVANCE_THRESHOLD = 0.0
# Titles at least this similar are duplicates (document 001).
# 标题去重的相似度阈值（文献 001）。
TOPICCRAWL_TITLE_DEDUP_THRESHOLD = 0.8
# Sentences of the summary and number of keywords of each stored page, at most; 0 = none. Both
# together take about 2 ms of a page.
# 每个入库页面的摘要句数与关键词个数上限；0 为不生成。两者合计每页约 2 毫秒。
TOPICCRAWL_SUMMARY_SENTENCES = 3
TOPICCRAWL_KEYWORDS = 10

# --- Store 存储 ---------------------------------------------------------------------------------
# sqlite:///relative/path.sqlite | sqlite:////absolute/path.sqlite | mongodb://host:27017/database
# "" stores nothing (feeds still work). 空字符串表示不入库（feed 导出仍可用）。
TOPICCRAWL_STORE_URI = "sqlite:///data/topiccrawl.sqlite"
# Keep the compressed HTML of stored pages. 是否保存压缩后的原始 HTML。
TOPICCRAWL_STORE_HTML = False
# Records are written when this many wait, or this long after the first of them.
# 攒够条数或等待超过此时间（秒）即写入。
TOPICCRAWL_STORE_BATCH_PAGES = 100
TOPICCRAWL_STORE_FLUSH_SECONDS = 0.2
# Where records wait while the database is away. 数据库不可用期间的落盘目录。
TOPICCRAWL_STORE_SPOOL_DIR = "data/spool"
# The best queued links are kept at the end of a run, so that `scrapy explain` knows them.
# 运行结束时保存得分最高的若干待抓链接，供 scrapy explain 查询。
TOPICCRAWL_STORE_QUEUED_LINKS = 1000

# --- Seeing it 进度 -----------------------------------------------------------------------------
TOPICCRAWL_PROGRESS_INTERVAL_SECONDS = 60
# Live line on a terminal: "auto" | "on" | "off". 终端实时进度。
TOPICCRAWL_PROGRESS_LIVE = "auto"

# --- Politeness (Scrapy settings) 礼貌抓取 --------------------------------------------------------
USER_AGENT = f"topiccrawl/{__version__} (focused crawler)"
ROBOTSTXT_OBEY = True
CONCURRENT_REQUESTS = 16
CONCURRENT_REQUESTS_PER_DOMAIN = 1
DOWNLOAD_DELAY = 1.0
# Never earlier than the delay says. 间隔不作随机缩短。
DOWNLOAD_DELAY_JITTER = 0.0
# Hosts that may be contacted at certain times only (分时任务): {"*.gov.cn": "22:00-06:00",
# "www.example.cn": "Mon-Fri 20:00-07:00, Sat-Sun 00:00-24:00"}; the most specific pattern counts.
# 按主机限定抓取时段，取最具体的匹配。
TOPICCRAWL_HOST_WINDOWS: dict[str, str] = {}
TOPICCRAWL_HOST_WINDOWS_TIMEZONE = "Asia/Shanghai"
# A longer Crawl-delay of robots.txt counts as this one; 0 = it is ignored.
# robots.txt 的 Crawl-delay 上限（秒）；0 为忽略。
TOPICCRAWL_CRAWL_DELAY_MAX_SECONDS = 60
# Longest pause that a Retry-After may ask for; first pause after 429 and 503 that do not say how long.
# Retry-After 的上限（秒）；429、503 未注明时的首次停顿（秒），之后倍增。
TOPICCRAWL_RETRY_AFTER_MAX_SECONDS = 3600
TOPICCRAWL_BACKOFF_SECONDS = 10
AUTOTHROTTLE_ENABLED = True
AUTOTHROTTLE_START_DELAY = 1.0
DOWNLOAD_TIMEOUT = 60
# Scrapy's default is 1 GiB. Scrapy 默认为 1 GiB，过大。
DOWNLOAD_MAXSIZE = 16 * 1024 * 1024
DOWNLOAD_WARNSIZE = 8 * 1024 * 1024
COOKIES_ENABLED = False
# The parent of a page is in its evidence; the header would tell sites where the crawl came from.
REFERRER_POLICY = "no-referrer"

# --- Scrapy behaviour -----------------------------------------------------------------------------
# One page yields one item: a worker task for each of a hundred would be idle on every page.
CONCURRENT_ITEMS = 4
# 2.19 opens a code-execution port on localhost by default; a crawler on a server must not.
# 2.19 默认在本机开放可执行代码的端口，服务器上必须关闭。
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False
# Chinese stays readable in exported feeds. 导出中文不转义。
FEED_EXPORT_ENCODING = "utf-8"
LOG_LEVEL = "INFO"
