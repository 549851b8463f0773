"""The record of a page; the other records are in ``records``.

To add a field, declare it here, with the next format as ``since`` and a default, before ``body``, and compute it in
a pipeline.  Documents, SQL columns, schema upgrades, feed and export columns, ``scrapy explain`` and the reference
page (docs/store.md) follow from the declaration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated

from topiccrawl.page.comments import Comment
from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.store.fields import Stored
from topiccrawl.store.ids import record_id


@dataclass(slots=True, kw_only=True)
class PageRecord:
    """A page of the collection, with the evidence for keeping it.

    A page that was withdrawn stays, with the time in ``withdrawn_at``, and is not counted.

    The fields are in the order of the SQL columns.  The long ones come last, because SQLite reads
    rows from the front.
    """

    topic: Annotated[str, Stored("主题", "topic", "name of the topic", column=340)]
    url: Annotated[
        str, Stored("网址", "URL", "canonical URL, the key together with `topic`", column=20)
    ]
    fetched_at: Annotated[
        datetime, Stored("抓取时间", "fetched", "time of fetching, UTC", column=300)
    ]
    published_at: Annotated[
        datetime | None,
        Stored(
            "发布",
            "published",
            "publish time stated by the page, UTC; none when it states none",
            column=40,
            zone=CHINA_TIME,
            explained=True,
        ),
    ] = None
    relevance: Annotated[
        float,
        Stored(
            "相关度",
            "relevance",
            "similarity of the page to the topic, 0 … 1 (thesis 4.9, 4.10)",
            column=200,
        ),
    ] = 0.0
    probability: Annotated[
        float | None,
        Stored(
            "概率",
            "probability",
            "probability that the page is on topic, 0 … 1, when it was last judged; none when it was"
            " not",
            since=2,
            column=201,
            explained=True,
        ),
    ] = None
    withdrawn_at: Annotated[
        datetime | None,
        Stored(
            "撤回时间",
            "withdrawn",
            "time at which the page was withdrawn from the collection, UTC; none for a kept page",
            since=2,
            column=305,
            explained=True,
        ),
    ] = None
    first_seen: Annotated[
        datetime | None,
        Stored(
            "首次抓取",
            "first seen",
            "time at which the page was first fetched, UTC; `fetched_at` is that of its current text",
            since=6,
            column=301,
        ),
    ] = None
    changed_at: Annotated[
        datetime | None,
        Stored(
            "变更时间",
            "changed",
            "time of the last visit that found another text, UTC; none if none did",
            since=6,
            column=302,
            explained=True,
        ),
    ] = None
    gone_at: Annotated[
        datetime | None,
        Stored(
            "消失时间",
            "gone",
            "time of the visit since which the page has been gone from its site, UTC; none while it"
            " is there",
            since=6,
            column=303,
            explained=True,
        ),
    ] = None
    story: Annotated[
        str,
        Stored(
            "报道",
            "story",
            "id of the story, the pages that are copies of one text: the id of the member that was"
            " fetched first; empty until the page is compared with others",
            since=4,
            column=107,
        ),
    ] = ""
    copy_of: Annotated[
        str,
        Stored(
            "副本的原文",
            "copy of",
            "URL of the page that represents the story; empty for that page itself",
            since=4,
            column=106,
        ),
    ] = ""
    relation: Annotated[
        str,
        Stored(
            "与原文的关系",
            "relation",
            "what the page is to the one in `copy_of`: `same-page`, `copy`, `edited` or `excerpt`;"
            " empty without one",
            since=4,
            column=105,
        ),
    ] = ""
    compared: Annotated[
        int,
        Stored(
            "比较方法",
            "compared",
            "method by which the page was last compared with others; 0: it must be compared",
            since=4,
            column=None,
        ),
    ] = 0
    title: Annotated[
        str, Stored("标题", "title", "title of the page, without the site's name", column=10)
    ] = ""
    final_url: Annotated[
        str, Stored("最终网址", "final URL", "URL of the response, after redirects", column=500)
    ]
    site: Annotated[str, Stored("站点", "site", "host name", column=30)]
    charset: Annotated[
        str,
        Stored(
            "编码",
            "charset",
            "encoding with which the bytes were decoded, checked against the declared one",
            column=330,
        ),
    ] = ""
    language: Annotated[
        str,
        Stored(
            "语言",
            "language",
            "`zh-Hans` (simplified), `zh-Hant` (traditional), `en` or `und`",
            column=310,
        ),
    ] = ""
    content_hash: Annotated[
        str,
        Stored(
            "正文哈希",
            "content hash",
            "hash of the normalized body, 32 hex digits: equal for equal text",
            column=510,
        ),
    ] = ""
    run_id: Annotated[str, Stored("运行", "run", "id of the run that stored the page", column=520)]
    main_terms: Annotated[
        Sequence[tuple[str, float]],
        Stored(
            "主要词",
            "main terms",
            "terms that contributed most to the relevance, each with its share, largest first",
            column=210,
        ),
    ] = ()
    link: Annotated[
        LinkEvidence,
        Stored(
            "链接",
            "link",
            (
                "evidence of the link by which the crawl found the page: `score`, `parts` (number by"
                " name), `parent` (none for a seed), `anchor`, `depth` (links from the nearest seed),"
                " `found_by` (absent for a link of a page)"
            ),
            column=400,
        ),
    ] = field(default_factory=LinkEvidence)
    found_by: Annotated[
        str,
        Stored(
            "发现途径",
            "found by",
            "how the crawl found the page if not by a link: a query of a search engine, a sitemap, a"
            " feed, an import; one line for each way",
            since=5,
            column=390,
            explained=True,
        ),
    ] = ""
    media_type: Annotated[
        str,
        Stored(
            "媒体类型",
            "media type",
            "media type of a document, such as `application/pdf`; empty for a web page",
            since=5,
            column=320,
            explained=True,
        ),
    ] = ""
    attached_to: Annotated[
        str,
        Stored(
            "所属网页",
            "attached to",
            "URL of the page that links the document; empty for a web page",
            since=5,
            column=325,
            explained=True,
        ),
    ] = ""
    author: Annotated[
        str,
        Stored(
            "作者",
            "author",
            "names joined by a space; empty, like the next five, when the page does not state it",
            explained=True,
        ),
    ] = ""
    source: Annotated[
        str,
        Stored("来源", "source", "the medium that the page names as its origin", explained=True),
    ] = ""
    editor: Annotated[
        str, Stored("编辑", "editor", "the editor that the page names", explained=True)
    ] = ""
    kind: Annotated[
        str, Stored("类型", "kind", "`article`, `list`, `thread` or `other`", explained=True)
    ] = ""
    summary: Annotated[
        str,
        Stored(
            "摘要",
            "summary",
            (
                "most important sentences of the page in their order, at most"
                " `TOPICCRAWL_SUMMARY_SENTENCES`"
            ),
            explained=True,
        ),
    ] = ""
    keywords: Annotated[
        Sequence[str],
        Stored(
            "关键词",
            "keywords",
            (
                "most specific terms of the page, best first, at most `TOPICCRAWL_KEYWORDS`; simplified"
                " and in lower case"
            ),
            explained=True,
        ),
    ] = ()
    relation_detail: Annotated[
        Sequence[str],
        Stored(
            "关系依据",
            "reasons of the relation",
            "why it is that to the other page, most important reason first",
            since=4,
            column=108,
        ),
    ] = ()
    tokens: Annotated[
        Sequence[int],
        Stored(
            "指纹",
            "tokens",
            "fingerprints by which copies are found; written with the page, not read back",
            since=4,
            column=None,
        ),
    ] = ()
    parts: Annotated[
        int,
        Stored(
            "页数",
            "parts",
            "pages of the article that `body` was joined from; 1 for an article on one page",
            since=4,
            explained=True,
        ),
    ] = 1
    site_name: Annotated[
        str,
        Stored("站点名称", "site name", "name of the site, as the page states it", since=4),
    ] = ""
    source_url: Annotated[
        str,
        Stored(
            "来源网址",
            "source URL",
            "link of the source line, or of the original that the page names",
            since=4,
            explained=True,
        ),
    ] = ""
    comments: Annotated[
        str,
        Stored(
            "评论",
            "comments",
            "readers' comments that the page shows below its article, one line per paragraph; the posts"
            " of a thread are body",
            since=4,
        ),
    ] = ""
    comment_records: Annotated[
        Sequence[Comment],
        Stored(
            "评论记录",
            "comment records",
            "the same comments one by one, each with `author`, `time` and `text`; author and time are"
            " empty where the page shows none",
            since=7,
            column=225,
        ),
    ] = ()
    main_image: Annotated[
        str,
        Stored(
            "主图",
            "main image",
            "URL of the picture that the page states for itself, else of the first one in its text;"
            " with `TOPICCRAWL_STORE_MARKDOWN`",
            since=7,
        ),
    ] = ""
    markdown: Annotated[
        str,
        Stored(
            "正文（Markdown）",
            "body as Markdown",
            "body text with its headings, lists, tables, quotations, code and images, with"
            " `TOPICCRAWL_STORE_MARKDOWN`; empty without",
            since=7,
            column=221,
        ),
    ] = ""
    body: Annotated[
        str, Stored("正文", "body", "body text, without navigation and advertising", column=220)
    ] = ""
    html: Annotated[
        bytes | None,
        Stored(
            "网页源码",
            "HTML",
            "response body compressed with zlib, with `TOPICCRAWL_STORE_HTML`",
            column=None,
        ),
    ] = None

    def __post_init__(self) -> None:
        """Set ``first_seen``, which pages of older formats lack."""
        if self.first_seen is None:
            self.first_seen = self.fetched_at

    @property
    def id(self) -> str:
        """Primary key: see :func:`record_id`."""
        return record_id(self.topic, self.url)
