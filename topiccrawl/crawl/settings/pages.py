"""Settings of the analysis of pages: body, relevance, duplicates, summary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from topiccrawl.crawl.settings.declaration import setting
from topiccrawl.crawl.settings.extraction import ExtractionSettings
from topiccrawl.crawl.settings.processes import AUTO, ProcessCount
from topiccrawl.crawl.settings.rules import Choice, Flag, Integer, Number
from topiccrawl.dedup.titles import THRESHOLD
from topiccrawl.documents.reader import SECONDS
from topiccrawl.scoring.classifier import BALANCES, Balance

#: How copies are found.
Duplicates: TypeAlias = Literal["stories", "titles", "off"]


@dataclass(frozen=True, kw_only=True)
class PageSettings(ExtractionSettings):
    """Settings of extraction and of the pages that are kept."""

    title = "Pages 页面"

    analysis_processes: str = setting(
        "ANALYSIS_PROCESSES",
        AUTO,
        ProcessCount(),
        unit="processes",
        en="Processes that analyze pages, so that no page stops the event loop "
        "([page-analysis.md](page-analysis.md#in-processes-of-their-own)); `auto`: the cores less one, "
        "and none where processes cannot be forked (all but Linux); 0: the crawl's own process does it.",
        zh="分析网页的进程数，使任何网页都不会阻塞事件循环；auto 为核数减一（不能 fork 的系统为 0，即非 Linux）；"
        "0 为在抓取进程内分析。",
    )
    host_lines: bool = setting(
        "HOST_LINES",
        True,
        Flag(),
        en="Leave lines out of the bodies of a crawl that their host repeats on many pages: editors, "
        "disclaimers, slogans ([page-analysis.md](page-analysis.md#lines-that-a-host-repeats)). The first "
        "pages of a host keep them, and so does `scrapy extract`, which sees one page at a time.",
        zh="抓取时从正文中去掉同一主机许多网页重复的行（责任编辑、声明、口号等）；每个主机最初的几页仍保留，"
        "逐页处理的 scrapy extract 也不去除。",
    )
    body_min_chars: int = setting(
        "BODY_MIN_CHARS",
        50,
        Integer(low=0),
        unit="characters",
        en="A page with a shorter body (lists, frames, empty pages) is not stored (`no-body`); its "
        "links are used. See the next setting for exceptions.",
        zh="正文短于此长度的页面不入库（列表、框架、空页），但其链接仍被使用；例外见下一项。",
    )
    keep_short_pages: bool = setting(
        "KEEP_SHORT_PAGES",
        True,
        Flag(),
        en="Store relevant pages with a shorter body all the same when they are about one thing: "
        "picture series, videos, products, short entries, which have a title and captions or a "
        "summary ([page-analysis.md](page-analysis.md#short-pages)). Lists are never stored.",
        zh="正文虽短但内容单一的相关页面（图集、视频、商品、短词条，有标题和图注或摘要）仍入库；列表页除外。",
    )
    relevance_threshold: float = setting(
        "RELEVANCE_THRESHOLD",
        0.0,
        Number(low=0.0, high=1.0),
        unit="cosine",
        en="Least relevance of a stored page; 0: the topic's own threshold (topic.toml, or learned "
        "from its samples).",
        zh="页面过滤的相关度阈值；0 表示采用主题自己的阈值。",
    )
    page_classifier: bool = setting(
        "PAGE_CLASSIFIER",
        True,
        Flag(),
        en="Learn during the crawl which pages are on topic, and judge pages again "
        "([classifier.md](classifier.md)). Off, or if a threshold is set (the setting above, or "
        "`thresholds.relevance` of the topic): the relevance alone decides.",
        zh="在抓取过程中学习哪些网页切题，并重新判断已抓网页；关闭时（或设定了相关度阈值时）仅按相关度判断。",
    )
    balance: Balance = setting(
        "BALANCE",
        "balanced",
        Choice(BALANCES),
        en="What the classifier's threshold is chosen for: `precision` (about 90 % of what is kept is "
        "on topic), `balanced` (best F1) or `recall` (about 90 % of what is on topic is kept).",
        zh="保留网页的取舍：precision 求准（约九成切题）、balanced 兼顾（F1 最高）、recall 求全（约九成切题页保留）。",
    )
    meaning: bool = setting(
        "MEANING",
        True,
        Flag(),
        en="Let the classifier compare the meaning of pages with the topic's words when it chooses the pages "
        "that it starts from, and the strategy `adaptive` compare link texts with the pages found, if the extra "
        "`meaning` is installed ([classifier.md](classifier.md), [adaptive.md](adaptive.md#meaning-of-anchors)): "
        "150 MB of memory, 2 to 4 ms a page.",
        zh="分类器挑选起始网页时比较网页与主题词的语义，adaptive 策略比较链接文字与已找到网页的语义"
        "（须安装附加包 meaning）：占内存 150 MB，每页 2 至 4 毫秒。",
    )
    judge_again_every_pages: int = setting(
        "JUDGE_AGAIN_EVERY_PAGES",
        1_000,
        Integer(low=0),
        unit="pages",
        en="Pages between two times that the store follows the classifier in the middle of a crawl: "
        "pages leave, return or enter. 0: only when the crawl closes. With less than the default the "
        "store is up to date sooner, but two equal crawls differ more in the reasons that it records: "
        "a young crawl often changes its mind, and what is in the store by then depends on the clock.",
        zh="抓取途中每隔多少页按新的判断更新库中网页（撤回、恢复、补入）；0 表示仅在结束时更新。",
    )
    earlier_pages: int = setting(
        "EARLIER_PAGES",
        2_000,
        Integer(low=0),
        unit="pages",
        en="Pages of the queue erased by `-a fresh=1` from which the classifier of the new crawl learns "
        "until it has fetched them itself: the newest ones. 0: none.",
        zh="`-a fresh=1` 清空队列时，保留多少个最近抓取的网页供新一次抓取的分类器学习"
        "（重新抓取后以新内容为准）；0 为不保留。",
    )
    duplicates: Duplicates = setting(
        "DUPLICATES",
        "stories",
        Choice(get_args(Duplicates)),
        en="How copies of a text are found ([duplicates.md](duplicates.md)): `stories` compares texts "
        "and titles; `titles` is the rule of document 001, similar titles or equal texts; `off` finds "
        "none. Copies are stored as copies of the page that represents them, and not listed beside it.",
        zh="如何识别重复与转载：stories 比较正文与标题；titles 为文献 001 的方法（标题相似或正文相同）；"
        "off 不识别。副本照常入库，但不与代表网页并列。",
    )
    title_threshold: float = setting(
        "TITLE_DEDUP_THRESHOLD",
        THRESHOLD,
        Number(low=0.01, high=1.0),
        unit="similarity",
        en="Titles at least this similar are copies, with `TOPICCRAWL_DUPLICATES=titles` (document 001).",
        zh="标题去重的相似度阈值（文献 001），用于 TOPICCRAWL_DUPLICATES=titles。",
    )
    article_parts: int = setting(
        "ARTICLE_PARTS",
        30,
        Integer(low=0),
        unit="pages",
        en="Pages of one article (第 2 页, 下一页), at most, that are fetched with its first one and joined to "
        "one text; below 2: each is a page of its own.",
        zh="一篇分页文章（第 2 页、下一页）最多抓取并合并多少页正文；小于 2 表示各页分别入库。",
    )
    documents: bool = setting(
        "DOCUMENTS",
        True,
        Flag(),
        en="Follow links to documents (PDF, Word, Excel, PowerPoint, OFD, RTF, plain text) and store "
        "those on the topic like pages ([documents.md](documents.md)).",
        zh="跟进指向文档（PDF、Word、Excel、PPT、OFD、RTF、纯文本）的链接，切题的文档与网页一样入库。",
    )
    document_max_bytes: int = setting(
        "DOCUMENT_MAX_BYTES",
        20_000_000,
        Integer(low=1_000),
        unit="bytes",
        en="Size of a document, at most, if its link names one (`.pdf`, `.docx` …); for other responses "
        "`DOWNLOAD_MAXSIZE` holds.",
        zh="链接指明为文档（.pdf、.docx 等）时允许下载的最大字节数；其他响应仍受 DOWNLOAD_MAXSIZE 限制。",
    )
    document_cpu_seconds: float = setting(
        "DOCUMENT_CPU_SECONDS",
        SECONDS,
        Number(low=0.5, high=600),
        unit="seconds",
        en="CPU time that reading a document may take, in a child process; one that takes longer is given "
        "up (`document-timed-out`).",
        zh="读取一个文档可用的 CPU 时间（在子进程中），超时即放弃（document-timed-out）。",
    )
