"""Every label of the report in Chinese and English, and the choice between them.

With both languages each label is written twice, ``<span class="zh">`` and ``<span class="en">``,
and a switch of radio buttons and CSS shows one of them or both: no script is needed.
"""

from __future__ import annotations

from typing import Literal, get_args

from topiccrawl.details import translated
from topiccrawl.language import labeled
from topiccrawl.reporting.markup import Html, clean, el, join
from topiccrawl.reporting.words.reasons import reason_text

Language = Literal["zh", "en", "both"]

#: Values of ``--lang``.
LANGUAGES: tuple[str, ...] = get_args(Language)

_EACH: tuple[Literal["zh", "en"], ...] = ("zh", "en")

LABELS: dict[str, tuple[str, str]] = {
    "attachments": ("附件", "Attachments"),
    "ways": ("发现途径", "How pages were found"),
    "ways-note": (
        "没有网页链接指向的入库页面，各途径举一例。",
        "Stored pages that no link of a page led to; an example of each way.",
    ),
    "stories": ("报道与转载", "Stories and reposts"),
    "stories-note": (
        "{stories} 篇报道共有 {copies} 个副本；下列为副本最多的。每页列在其来源之下，附依据与把握。",
        "{stories} stories have {copies} copies; these have most. Each page stands below the one that it was "
        "taken from, with the reason and its probability.",
    ),
    "story-copies": ("{n} 个副本", "{n} copies"),
    "story-first": ("首发", "first"),
    "story-named": ("被提及，未抓取", "named, not fetched"),
    "story-no-date": ("无日期", "no date"),
    "story-group": ("{day}：{n} 页", "{day}: {n} pages"),
    "reason-link": ("有链接指向", "links to it"),
    "reason-source-line": ("来源行", "source line"),
    "reason-credit": ("文中注明", "credited in the text"),
    "reason-dateline": ("电头", "dateline"),
    "reason-report": ("据其报道", "reports it"),
    "reason-text": ("改动相同", "shares edits"),
    "reason-time": ("仅凭时间", "nothing but the time"),
    "events": ("事件", "Events"),
    "event-number": ("编号", "No."),
    "event-name": ("事件", "Event"),
    "event-time": ("时间", "Time"),
    "event-places": ("地点", "Places"),
    "event-people": ("人物与机构", "Persons and organizations"),
    "event-stories": ("报道", "Stories"),
    "event-copies": ("副本", "Copies"),
    "report": ("主题抓取报告", "Topic crawl report"),
    "since": ("自", "Since"),
    "activity": ("新增与变化", "New and changed"),
    "activity-since": ("自 {since}（北京时间）起。", "Since {since} (China time)."),
    "activity-new": ("新增页面", "New pages"),
    "activity-changed": ("变更页面", "Changed pages"),
    "activity-gone": ("消失页面", "Pages gone"),
    "activity-total": ("合计", "Total"),
    "activity-latest": ("最近的 {n} 页：", "The latest {n}:"),
    "empty-activity": ("没有新增、变更或消失的页面。", "No page is new, changed or gone."),
    "gone": ("已消失", "gone"),
    "language": ("语言", "Language"),
    "fetched": ("抓取页面", "Pages fetched"),
    "relevant": ("相关页面", "On topic"),
    "stored": ("入库页面", "Pages stored"),
    "harvest": ("收获率", "Harvest rate"),
    "hosts": ("主机数", "Hosts"),
    "host": ("主机", "Host"),
    "duration": ("用时", "Duration"),
    "speed": ("页/秒", "pages/s"),
    "failed": ("失败", "Failed"),
    "strategy": ("排序策略", "Strategy"),
    "stop": ("停止原因", "Stop reason"),
    "all-runs": ("全部运行", "All runs"),
    "run": ("运行", "Run"),
    "runs": ("各次运行", "Runs"),
    "started": ("开始时间", "Started"),
    "generated": ("生成于", "Generated"),
    "not-finished": ("未正常结束", "not finished"),
    "unknown": ("未知", "unknown"),
    "cumulative": ("累计收获率", "Cumulative harvest rate"),
    "windowed": ("最近 {n} 页的收获率", "Harvest rate of the last {n} pages"),
    "run-begins": ("新一次运行开始", "A run begins"),
    "curve": ("收获率曲线", "Harvest curve"),
    "curve-note": (
        "横轴：已抓取页面数；纵轴：其中相关页面的比例。",
        "Horizontal: pages fetched; vertical: the share of them that is on topic.",
    ),
    "histogram": ("页面相关度分布", "Relevance of fetched pages"),
    "relevance": ("相关度", "Relevance"),
    "probability": ("概率", "Probability"),
    "probability-chart": ("页面切题的概率", "Probability that a page is on topic"),
    "probability-judged": (
        "共判断 {judged} 页，按概率估计约 {expected} 页切题。",
        "{judged} pages were judged; by their probabilities about {expected} of them are on topic.",
    ),
    "probability-kept": (
        "入库 {kept} 页，估计其中约 {share} 切题；概率达到 {threshold}（阈值）即入库。",
        "{kept} were kept, of which about {share} are expected to be on topic; a page is kept from a "
        "probability of {threshold} on (the threshold).",
    ),
    "probability-moves": (
        "复判后撤回 {withdrawn} 页，撤回后又恢复 {readmitted} 页，补入备选的 {admitted} 页。",
        "Judged again: {withdrawn} withdrawn, {readmitted} withdrawn before and back again, {admitted} "
        "entered from the near misses.",
    ),
    "probability-note": (
        "概率由页面分类器给出；竖线为当前阈值，色带为抓取过程中阈值的变动范围。达到阈值而未入库的多为重复页面。",
        "Probabilities are those of the page classifier. The line is the present threshold, the band its "
        "range during the crawl. Pages above it that were not stored are mostly duplicates.",
    ),
    "pages": ("页面数", "Pages"),
    "threshold": ("阈值", "Threshold"),
    "kept": ("入库", "stored"),
    "rejected": ("未入库", "not stored"),
    "rejected-by": ("未入库原因", "Why pages were not kept"),
    "pages-list": ("入库页面", "Stored pages"),
    "today": ("今日新增", "new today"),
    "order": ("排序", "Order"),
    "order-new": ("最新入库", "Newly stored"),
    "order-best": ("最相关", "Most relevant"),
    "order-published": ("最新发布", "Latest published"),
    "filter": ("筛选", "Filter"),
    "showing": ("显示", "Showing"),
    "more": ("显示更多", "Show more"),
    "no-script": (
        "浏览器禁用了脚本，只能看到前面的页面；排序和筛选需要脚本。",
        "Scripts are off: these are the first pages only; ordering and filtering need scripts.",
    ),
    "listed-part": (
        "共 {count} 页，这里列出 {listed} 页：最新入库的和最相关的。全部页面可用 scrapy export 导出。",
        "{listed} of {count} pages are listed: those stored last and the most relevant ones. "
        "scrapy export writes all of them.",
    ),
    "days": ("每日入库页面", "Pages stored per day"),
    "day": ("日期（北京时间）", "Day (China time)"),
    "keywords": ("高频关键词", "Frequent keywords"),
    "empty-keywords": ("入库页面没有关键词。", "The stored pages have no keywords."),
    "diagnostics": ("抓取诊断", "Diagnostics of the crawl"),
    "diagnostics-note": (
        "收获率、概率、未入库原因、主机、队列、运行",
        "harvest, probabilities, pages not kept, hosts, queue, runs",
    ),
    "hosts-table": ("各主机的收获", "Hosts"),
    "others": ("其余主机", "All other hosts"),
    "queue": ("排在最前的待抓链接", "Most important waiting links"),
    "queue-hosts": ("待抓队列与主机", "Queue and hosts"),
    "queue-state": ("运行结束时的队列", "The queue at the end"),
    "queue-traffic": ("进出队列", "Into the queue and out"),
    "traps": ("拒绝的陷阱链接", "Links refused as traps"),
    "parameters": ("网址参数", "Parameters of URLs"),
    "kinds": ("入库页面的类型", "Stored pages by kind"),
    "judged-again": ("复判", "Judged again"),
    "politeness": ("访问间隔与主机状况", "Politeness and problems of hosts"),
    "note-sums": (
        "队列状态取自最后结束的一次运行，其余为各次运行之和。",
        "The state of the queue is that of the run that ended last; all other figures are sums over "
        "the runs.",
    ),
    "note-cut-off": (
        "被强行中断或仍在进行的运行没有留下统计，未计入。",
        "Runs that were interrupted or are still going on have left no statistics and are not counted.",
    ),
    "score": ("得分", "Score"),
    "anchor": ("链接文字", "Link text"),
    "depth": ("深度", "Depth"),
    "parent": ("来源页面", "Found on"),
    "seed": ("种子", "seed"),
    "stats": ("最近一次运行的统计", "Statistics of the last run"),
    "at-least": ("至少", "at least"),
    "rejected-page": ("未入库", "rejected"),
    "failed-page": ("失败", "failed"),
    "empty-curve": ("还没有抓取任何页面。", "No page has been fetched yet."),
    "empty-histogram": ("没有记录相关度。", "No relevance was recorded."),
    "empty-reasons": ("没有未入库的页面，也没有失败。", "Nothing was rejected and nothing failed."),
    "empty-pages": ("还没有入库页面。", "No page has been stored yet."),
    "empty-queue": ("没有记录待抓链接。", "No waiting link was recorded."),
    "empty-stats": ("没有记录队列统计。", "No statistics of the queue were recorded."),
    "empty-runs": ("没有运行记录。", "No run was recorded."),
    "note-harvest": (
        "收获率 = 相关页面 ÷ 抓取页面。相关页面：已入库，或概率（没有概率时为相关度）达到阈值"
        "但因重复、无正文等原因未入库。"
        "下载失败、重定向和非 HTML 的网址不计入抓取页面。",
        "Harvest rate = pages on topic / pages fetched. On topic: stored, or probability (relevance "
        "if there is none) at the threshold but not kept for another reason (duplicate, no body). Failed downloads, "
        "redirects and responses other than HTML do not count as pages fetched.",
    ),
    "note-last": (
        "每个网址只计最近一次结果：后来的运行重新抓取的网址算在后来的运行中。",
        "Each URL counts once, with its latest outcome: a URL fetched again counts in the later run.",
    ),
    "note-dates": (
        "时间均为北京时间（UTC+8），“今日”指生成报告的当天。",
        "All times are China time (UTC+8); today is the day of the report.",
    ),
}

#: Kinds of pages that page analysis distinguishes.
KINDS: dict[str, tuple[str, str]] = {
    "article": ("文章", "article"),
    "list": ("列表", "list"),
    "thread": ("帖子", "thread"),
    "other": ("其他", "other"),
}


class Words:
    """Labels in one language or in both."""

    def __init__(self, language: Language) -> None:
        if language not in LANGUAGES:
            raise ValueError(f"language must be one of {', '.join(LANGUAGES)}, got {language!r}")
        self.language: Language = language

    def __call__(self, key: str, **values: str | int) -> Html:
        """Return label *key* as markup; *values* replace its placeholders."""
        zh, en = LABELS[key]
        return self.pair(zh.format(**values), en.format(**values))

    def pair(self, zh: str, en: str) -> Html:
        """Return a text of two languages as markup; once, if both are the same."""
        if zh == en:
            return join(zh)
        if self.language != "both":
            return join(zh if self.language == "zh" else en)
        return join(el("span", zh, class_="zh", lang="zh"), el("span", en, class_="en", lang="en"))

    def reason(self, reason: str) -> Html:
        """Return the label of a reason."""
        return self.pair(*reason_text(clean(reason, 60)))

    def detail(self, detail: str) -> Html:
        """Return the detail of an outcome."""
        zh, en = (clean(translated(detail, language)) for language in _EACH)
        return el("bdi", self.pair(zh, en))

    def kind(self, kind: str) -> Html:
        """Return the label of a kind of page; unknown kinds unchanged."""
        return self.pair(*KINDS.get(kind, (kind, kind)))

    def plain(self, key: str, **values: str | int) -> str:
        """Return label *key* as plain text for attributes and tooltips, both languages joined."""
        zh, en = (text.format(**values) for text in LABELS[key])
        if self.language == "both":
            return f"{zh} · {en}"
        return zh if self.language == "zh" else en

    def tip(self, key: str, value: str, **values: str | int) -> str:
        """Return a line of a tooltip: label *key* as plain text, and its *value*."""
        return labeled(self.plain(key, **values), value, "zh" if self.language == "zh" else "en")

    def svg(self, key: str, value: str = "", **place: str | float) -> list[Html]:
        """Return label *key* as SVG text at *place*, once for each language; *value* follows it."""
        zh, en = (f"{text} {value}".rstrip() for text in LABELS[key])
        if self.language != "both":
            return [el("text", zh if self.language == "zh" else en, **place)]
        # With both languages side by side only one line fits into a drawing: the Chinese one.
        return [el("text", zh, class_="zh", **place), el("text", en, class_="en solo", **place)]
