"""Settings for many workers on one Redis: everything of ``topiccrawl.settings``, and what differs.

    SCRAPY_SETTINGS_MODULE=topiccrawl.cluster.settings REDIS_URL=redis://host:6379/0 \
        scrapy crawl topic -a topic=侨情

Start the same command on as many machines as you like; each is one worker.
多台机器（或多个进程）执行同一命令即可组成集群，每个进程是一个工作者。
"""

import os

from topiccrawl.settings import *  # noqa: F403

# --- Redis --------------------------------------------------------------------------------------
# redis://[:password@]host:port/db, rediss:// for TLS (?ssl_ca_certs=/path). Give Redis 'appendonly yes'
# (and 'maxmemory-policy noeviction'): without it a crash of Redis loses the queue.
# Redis 地址，rediss:// 为 TLS。请在 Redis 中设置 appendonly yes 与 maxmemory-policy noeviction，
# 否则 Redis 崩溃会丢失队列。
REDIS_URL = os.environ.get("REDIS_URL", "redis://127.0.0.1:6379/0")
# A server that does not answer holds the crawl for so long, once a second while it is away.
# Redis 无响应时，每次尝试最多等待的时间（秒）。
REDIS_PARAMS = {"socket_timeout": 10, "socket_connect_timeout": 2, "retry_on_timeout": False}

# --- Frontier 待抓队列 ----------------------------------------------------------------------------
TOPICCRAWL_FRONTIER_BACKEND = "redis"

# --- Store 存储 ----------------------------------------------------------------------------------
# Workers on several machines need one store for all: MongoDB. The default is a file on each machine.
# 多台机器应共用 MongoDB；默认的 SQLite 文件各机自存。
TOPICCRAWL_STORE_URI = os.environ.get(
    "TOPICCRAWL_STORE_URI",
    TOPICCRAWL_STORE_URI,  # noqa: F405
)

# --- Start URLs 起始网址 ---------------------------------------------------------------------------
# redis-cli RPUSH topiccrawl:侨情:start_urls https://www.example.cn/ — also while the crawl runs.
# 运行中可随时向该列表追加网址。
EXTENSIONS = {"topiccrawl.cluster.start_urls.StartUrls": 300}
# True: a worker with nothing left to do waits for start URLs instead of ending.
# True 表示无事可做时继续等待新的起始网址，而不是结束。
TOPICCRAWL_CLUSTER_WAIT = False
# The same for this many seconds; 0 = as the line above says. 最长等待时间（秒），0 为按上一项。
MAX_IDLE_TIME_BEFORE_CLOSE = 0

# --- Statistics 统计 ------------------------------------------------------------------------------
# Sums of all workers in the hash topiccrawl:<topic>:stats. 各工作者的统计汇总写入 Redis。
STATS_CLASS = "topiccrawl.cluster.stats.ClusterStatsCollector"
