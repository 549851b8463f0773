"""Settings for many workers on one Redis: ``topiccrawl.settings`` with the differences below.

    SCRAPY_SETTINGS_MODULE=topiccrawl.cluster.settings REDIS_URL=redis://host:6379/0 \
        scrapy crawl topic -a topic=侨情

Start the same command on any number of machines; each process is one worker.
多台机器（或多个进程）执行同一命令即可组成集群，每个进程是一个工作者。
"""

import os

from topiccrawl.settings import *  # noqa: F403

# --- Redis ----------------------------------------------------------------------------------------
# redis://[:password@]host:port/db, rediss:// for TLS (?ssl_ca_certs=/path). Configure Redis with
# 'appendonly yes' and 'maxmemory-policy noeviction'; otherwise a crash of Redis loses the queue.
# Redis 地址，rediss:// 为 TLS。请在 Redis 中设置 appendonly yes 与 maxmemory-policy noeviction，
# 否则 Redis 崩溃会丢失队列。
REDIS_URL = os.environ.get("REDIS_URL", "redis://127.0.0.1:6379/0")
# Longest wait for a server that does not answer; while it is away, it is tried once a second.
# Redis 无响应时，每次尝试最多等待的时间（秒）。
REDIS_PARAMS = {"socket_timeout": 10, "socket_connect_timeout": 2, "retry_on_timeout": False}

# --- Frontier 待抓队列 ----------------------------------------------------------------------------
TOPICCRAWL_FRONTIER_BACKEND = "redis"

# --- Store 存储 -----------------------------------------------------------------------------------
# Workers on several machines need one common store: MongoDB. The default is a file on each machine.
# 多台机器应共用 MongoDB；默认的 SQLite 文件各机自存。
TOPICCRAWL_STORE_URI = os.environ.get(
    "TOPICCRAWL_STORE_URI",
    TOPICCRAWL_STORE_URI,  # noqa: F405
)

# --- Start URLs 起始网址 --------------------------------------------------------------------------
# redis-cli RPUSH topiccrawl:侨情:start_urls https://www.example.cn/ — also while the crawl runs.
# With TOPICCRAWL_CLUSTER_WAIT = True, workers with nothing left to do wait for such URLs.
# 运行中可随时向该列表追加网址；TOPICCRAWL_CLUSTER_WAIT 为 True 时，空闲的工作者会继续等待。
EXTENSIONS = {"topiccrawl.cluster.start_urls.StartUrls": 300}
# Longest wait for start URLs in seconds; 0: determined by TOPICCRAWL_CLUSTER_WAIT.
# 等待新网址的最长时间（秒），0 为按 TOPICCRAWL_CLUSTER_WAIT。
MAX_IDLE_TIME_BEFORE_CLOSE = 0

# --- Statistics 统计 ------------------------------------------------------------------------------
# Sums of all workers in the hash topiccrawl:<topic>:stats. 各工作者的统计汇总写入 Redis。
STATS_CLASS = "topiccrawl.cluster.stats.ClusterStatsCollector"
