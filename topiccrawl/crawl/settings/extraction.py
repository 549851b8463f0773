"""Settings of the analysis of a page, which ``extract`` reads without loading the others."""

from __future__ import annotations

from dataclasses import dataclass

from topiccrawl.crawl.settings.declaration import Section, setting
from topiccrawl.crawl.settings.rules import Integer, Number, Text
from topiccrawl.page.body.extractors import DEFAULT_EXTRACTOR, check_extractor
from topiccrawl.text.keywords import MAX_KEYWORDS
from topiccrawl.text.summary import SENTENCES


@dataclass(frozen=True, kw_only=True)
class ExtractionSettings(Section):
    """Settings of what is read from a page, whether it is kept or not."""

    body_extractor: str = setting(
        "BODY_EXTRACTOR",
        DEFAULT_EXTRACTOR,
        Text(check=check_extractor, description="name or dotted path"),
        en="How the body text is found: `blocks`, a learned block classifier, `text-density`, the "
        "method of document 001 ([page-analysis.md](page-analysis.md#body)), or the dotted path "
        "of an extractor of your own.",
        zh="正文抽取方法：blocks（默认，机器学习）、text-density（文献 001 的文本密度法），或自定义抽取器的点号路径。",
    )
    page_cpu_seconds: float = setting(
        "PAGE_CPU_SECONDS",
        3.0,
        Number(low=0.0),
        unit="seconds",
        en="CPU time that the analysis of a page may take; one that takes longer is given up "
        "(`analysis-timeout`). With `TOPICCRAWL_ANALYSIS_PROCESSES` 0 this holds for large pages, which "
        "are first read in a child process. 0: no limit.",
        zh="分析一个网页可用的 CPU 时间，超时即放弃（analysis-timeout）；TOPICCRAWL_ANALYSIS_PROCESSES 为 0 时"
        "只对大网页有效（先在子进程中试读）；0 为不限时。",
    )
    summary_sentences: int = setting(
        "SUMMARY_SENTENCES",
        SENTENCES,
        Integer(low=0),
        unit="sentences",
        en="Maximum number of sentences of a stored page's summary; 0: no summary. Summary and "
        "keywords together take about 2 ms of a page.",
        zh="每个入库页面的摘要句数上限；0 为不生成。摘要与关键词合计每页约 2 毫秒。",
    )
    keywords: int = setting(
        "KEYWORDS",
        MAX_KEYWORDS,
        Integer(low=0),
        unit="terms",
        en="Maximum number of keywords of a stored page; 0: none.",
        zh="每个入库页面的关键词个数上限；0 为不生成。",
    )
