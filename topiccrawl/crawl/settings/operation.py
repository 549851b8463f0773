"""Settings of the operation of crawls: control, logs, monitors."""

from __future__ import annotations

from dataclasses import dataclass

from topiccrawl.crawl.scrapyd import checked_servers
from topiccrawl.crawl.settings.declaration import Section, setting
from topiccrawl.crawl.settings.rules import Flag, Integer, Number, Text


@dataclass(frozen=True, kw_only=True)
class OperationSettings(Section):
    """Settings of the operation of crawls."""

    title = "Operation 运维"
    intro = "Control of running crawls, logs and monitors: [operation.md](operation.md)."
    intro_zh = "运行中的抓取的控制、日志与监控；说明见 docs/operation.md。"

    control: bool = setting(
        "CONTROL",
        True,
        Flag(),
        en="Write the state of a crawl to a folder beside its queue, where `scrapy console` and "
        "`scrapy crawls` find it, and pause or stop it when they ask for it. Not for crawls that "
        "store nothing.",
        zh="在队列旁的目录中写入抓取状态，供 scrapy console 和 scrapy crawls 查看、暂停和停止；"
        "不存储网页的抓取除外。",
    )
    control_dir: str = setting(
        "CONTROL_DIR",
        "",
        Text(),
        en="That folder; empty: `crawls` beside the queue.",
        zh="该目录；空为队列旁的 crawls。",
    )
    control_seconds: float = setting(
        "CONTROL_SECONDS",
        2.0,
        Number(low=0.1),
        unit="seconds",
        en="Time between two writes of the state, and between two looks at what is asked for.",
        zh="两次写入状态（及查看控制请求）的间隔（秒）。",
    )
    scrapyd: str = setting(
        "SCRAPYD",
        "",
        Text(check=checked_servers, description="URLs"),
        en="Addresses of scrapyd servers, separated by blanks, whose jobs the console shows, starts and "
        "cancels: `http://127.0.0.1:6800`. A user and a password may be part of the address.",
        zh="scrapyd 服务器地址，以空格分隔；控制台可查看、启动和取消其任务，地址中可含用户名和密码。",
    )
    log_json: bool = setting(
        "LOG_JSON",
        False,
        Flag(),
        en="Log lines are JSON objects: `time`, `level`, `logger`, `message`, `topic`, `run`, `exception`.",
        zh="日志每行为一个 JSON 对象：time、level、logger、message、topic、run、exception。",
    )
    monitor_least_pages: int = setting(
        "MONITOR_LEAST_PAGES",
        1,
        Integer(low=0),
        unit="pages",
        en="The Spidermon suite reports a run that fetched fewer pages; revisits count.",
        zh="Spidermon 监控：运行抓取的网页（含回访）少于此数时报告。",
    )
    monitor_least_harvest_rate: float = setting(
        "MONITOR_LEAST_HARVEST_RATE",
        0.0,
        Number(low=0, high=1),
        unit="share",
        en="The Spidermon suite reports a run of at least 100 pages with a lower harvest rate.",
        zh="Spidermon 监控：抓取 100 页以上而收获率低于此值时报告。",
    )
    monitor_most_failed: float = setting(
        "MONITOR_MOST_FAILED",
        0.5,
        Number(low=0, high=1),
        unit="share",
        en="The Spidermon suite reports a run of at least 100 outcomes of which a larger share failed.",
        zh="Spidermon 监控：结果在 100 个以上而失败比例高于此值时报告。",
    )
    monitor_most_errors: int = setting(
        "MONITOR_MOST_ERRORS",
        0,
        Integer(low=0),
        unit="times",
        en="The Spidermon suite reports a run with more lines of level ERROR in its log.",
        zh="Spidermon 监控：日志中 ERROR 行多于此数时报告。",
    )
