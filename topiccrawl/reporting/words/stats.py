"""Labels of the stats about queue and hosts, in Chinese and English.

docs/stats.md describes each stat under the same name.
"""

from __future__ import annotations

from dataclasses import dataclass

from topiccrawl.reporting.words.labels import KINDS

#: Prefix of all our stats, left out of the names below.
PREFIX = "topiccrawl/"


@dataclass(frozen=True, slots=True)
class StatTable:
    """A small table: its label in labels.py, and its rows."""

    label: str
    rows: dict[str, tuple[str, str]]
    """Stat without PREFIX, with what it counts in both languages."""
    families: tuple[str, ...] = ()
    """Prefixes of stats that belong here even without a row, so that no new reason is missing."""
    state: bool = False
    """Whether the stats are the state at the end of a run, which is not summed over the runs."""
    total: str = ""
    """Prefix of the stats whose sum is shown beside the heading."""


TABLES: tuple[StatTable, ...] = (
    StatTable(
        "queue-state",
        {
            "frontier/size/queued": ("等待抓取的链接", "links waiting to be fetched"),
            "frontier/size/delayed": ("稍后重试的链接", "links that wait for another try"),
            "frontier/size/leased": ("正在处理的链接", "links being worked on"),
            "frontier/size/done": ("已完成的链接", "links done"),
            "frontier/size/given_up": ("失败后放弃的链接", "links given up"),
            "frontier/size/hosts": ("有待抓链接的主机", "hosts with waiting links"),
            "frontier/size/forgotten": (
                "因队列上限或主机页数预算而放弃的链接",
                "links dropped for the queue's limit or their host's budget of pages",
            ),
            "run/resumed_pages": (
                "该次运行开始时已知的页面",
                "pages that this run knew when it began",
            ),
        },
        families=("frontier/size/",),
        state=True,
    ),
    StatTable(
        "queue-traffic",
        {
            "frontier/enqueued": ("新入队的链接", "new links queued"),
            "frontier/merged": ("已在队列中、合并证据的请求", "requests for links queued already"),
            "frontier/seen": ("已抓取或正在抓取的请求", "requests for links done or under way"),
            "frontier/refused": (
                "超出队列上限或主机页数预算而被拒的请求",
                "requests refused by the queue's limit or their host's budget of pages",
            ),
            "frontier/over_budget": (
                "主机可抓页数已满而未保留的链接",
                "links that were not kept: their hosts had reached their budgets",
            ),
            "frontier/popped": ("取出抓取", "handed out to be fetched"),
            "frontier/requeued": ("放回队列继续抓取", "put back to go on later"),
            "frontier/redirected": ("重定向到其他网址", "ended in a redirect"),
            "frontier/reaped": (
                "从超时或已退出的进程收回的链接",
                "links taken back from workers that died or took too long",
            ),
            "links/behind": (
                "因同类链接多为死链而推后的链接",
                "links that fell behind: links like them were dead",
            ),
            "frontier/restored": (
                "服务器丢失队列后重新放入种子的次数",
                "times that the server had lost the queue",
            ),
            "frontier/unkeepable": ("无法保存而丢失的请求", "requests lost: they cannot be kept"),
            "frontier/unreadable": ("无法读回而放弃的请求", "requests given up: unreadable"),
            "frontier/exhausted": (
                "因同类网址或域名已放弃而移出队列的链接",
                "queued links dropped: their family or domain was left",
            ),
            "mirrors/learned": ("识别出的镜像主机", "mirror hosts learned"),
            "mirrors/unlearned": ("已撤销的镜像主机", "mirror hosts that turned out to differ"),
            "versions/learned": (
                "识别出的打印版、手机版网址规则",
                "rules learned for versions for printing or for phones",
            ),
            "versions/unlearned": ("已撤销的版本规则", "such rules that turned out to be wrong"),
            "links/mirrored": (
                "改为首选主机或版本的链接",
                "links led to the preferred host or version",
            ),
            "parts/joined": ("并入首页的文章分页", "further pages joined to their article"),
            "parts/missing": ("未能取得的文章分页", "further pages that could not be joined"),
            "parts/ended": (
                "随首页抓取的分页链接",
                "links of pages that were fetched with their article",
            ),
            "frontier/out_of_scope": (
                "因超出新范围而移出队列的链接",
                "queued links dropped: outside the new scope",
            ),
            "run/killed_before": (
                "此前被强制终止的运行",
                "earlier runs that were killed, marked as such",
            ),
            "stagnation/stretches": (
                "停滞的次数（长时间无新的相关页面）",
                "stagnations: no page on topic for longer than chance explains",
            ),
            "stagnation/seeds": (
                "停滞或队列抓空后补充的种子",
                "seeds added during stagnation and when the queue was empty",
            ),
        },
    ),
    StatTable(
        "traps",
        {
            "links/trapped/too-long": ("网址过长", "URL too long"),
            "links/trapped/host-name": ("主机名不断增长", "host name that grows"),
            "links/trapped/host-names": ("同一域名的主机名过多", "too many names of a domain"),
            "links/trapped/path-depth": ("路径过深", "path too deep"),
            "links/trapped/repeated-segment": ("路径段反复出现", "parts of the path repeat"),
            "links/trapped/repeated-parameter": ("参数反复出现", "parameters repeat"),
            "links/trapped/too-many-parameters": ("参数过多", "too many parameters"),
            "links/trapped/calendar": ("没有尽头的日历", "endless calendar"),
            "links/trapped/pattern": (
                "同类网址内容雷同且无关",
                "similar URLs with the same off-topic text",
            ),
        },
        families=("links/trapped/",),
        total="links/trapped/",
    ),
    StatTable(
        "parameters",
        {
            "links/cleaned": (
                "去掉无用参数的链接",
                "links without the useless parameters they had",
            ),
            "parameters/learned": ("判定参数无用的次数", "times a parameter was found useless"),
            "parameters/unlearned": (
                "后来发现参数有用的次数",
                "times such a parameter proved useful",
            ),
        },
    ),
    StatTable(
        "kinds",
        {f"pages/kind/{kind}": words for kind, words in KINDS.items()},
        families=("pages/kind/",),
    ),
    StatTable(
        "judged-again",
        {
            "pages/near_misses": (
                "另存的备选页面",
                "pages that are not kept now, stored apart",
            ),
            "pages/withdrawn": ("复判后撤回的页面", "pages withdrawn from the collection"),
            "pages/readmitted": ("复判后恢复的页面", "withdrawn pages that returned"),
            "pages/admitted": (
                "复判后入库的备选页面",
                "near misses that entered the collection",
            ),
            "pages/copies_withdrawn": ("复判后撤回的副本", "copies withdrawn"),
            "pages/copies_entered": ("复判后入库的副本", "copies that entered the collection"),
        },
    ),
    StatTable(
        "politeness",
        {
            "politeness/landed": ("结束的传输", "transfers that ended"),
            "politeness/crawl_delay": ("采纳 Crawl-delay 的次数", "times a Crawl-delay was taken"),
            "politeness/crawl_delay_capped": (
                "Crawl-delay 过长、按上限执行",
                "Crawl-delays cut to the longest allowed",
            ),
            "blocked/pauses": (
                "因拦截页或验证页短暂停顿",
                "short pauses of a host after a block page or captcha",
            ),
            "blocked/rests": (
                "因连续拦截而停歇",
                "rests of a host after block pages in a row",
            ),
            "blocked/asked_again": (
                "停歇前重新请求已知页面",
                "known pages asked for again before a rest",
            ),
            "blocked/hosts": ("结束时仍在拦截的主机", "hosts that blocked to the end"),
            "politeness/held/429": ("因 HTTP 429 暂停主机", "pauses of a host after HTTP 429"),
            "politeness/held/503": ("因 HTTP 503 暂停主机", "pauses of a host after HTTP 503"),
            "politeness/held/no_answer": (
                "因无响应暂停主机",
                "pauses of a host that did not answer",
            ),
            "politeness/retry_after": (
                "按 Retry-After 暂停",
                "pauses as long as Retry-After asked",
            ),
            "politeness/retry_after_capped": (
                "Retry-After 过长、按上限执行",
                "pauses shorter than Retry-After asked",
            ),
            "politeness/put_back/address": (
                "因同一 IP 地址的请求过多放回",
                "put back: too many were under way to their IP address",
            ),
            "politeness/put_back/robots": (
                "因 robots.txt 返回错误放回",
                "put back: the host's robots.txt answered with an error",
            ),
            "politeness/put_back/delay": (
                "因主机间隔未到放回",
                "put back: the host's delay had not passed",
            ),
            "politeness/put_back/pause": ("因主机暂停放回", "put back: the host had a pause"),
            "politeness/put_back/window": (
                "因主机不在开放时段放回",
                "put back: the host's time window had closed",
            ),
            "frontier/outside_window": (
                "主机不在开放时段，未取出",
                "not handed out: outside the host's time window",
            ),
            "windows/links": (
                "结束时等待主机开放时段的链接",
                "links that waited for the time windows of their hosts at the end",
            ),
            "politeness/gone": (
                "主机长期无响应，不再尝试",
                "given up untried: the host did not answer for long",
            ),
            "politeness/ignored": (
                "主机暂停过长，放弃 robots.txt",
                "robots.txt not fetched: the host's pause was long",
            ),
        },
        families=("politeness/",),
    ),
)
