"""The table of page fields in docs/store.md and docs/zh/store.md, generated from the declarations.

``python -m tests.support.store_reference`` writes it into the files.
"""

from __future__ import annotations

from pathlib import Path

from topiccrawl.store.records import PAGES

DOCS = Path(__file__).parents[2] / "docs"
REFERENCE, CHINESE = DOCS / "store.md", DOCS / "zh" / "store.md"

BEGIN, END = "<!-- fields of a page: begin -->\n", "<!-- fields of a page: end -->\n"

TYPES_ZH = {
    "text": "文本",
    "texts": "文本列表",
    "time": "时间",
    "time or none": "时间或空",
    "integer": "整数",
    "integers": "整数列表",
    "number": "数",
    "number or none": "数或空",
    "pairs": "词与值",
    "record": "记录",
    "bytes or none": "字节或空",
}
#: Meanings in Chinese; a field without one has the English meaning.
MEANINGS_ZH = {
    "topic": "主题的名称",
    "url": "规范化的网址，与 `topic` 一起作为键",
    "fetched_at": "抓取该页的时间，UTC",
    "published_at": "页面标明的发布时间，UTC；未标明则为空",
    "relevance": "页面与主题的相似程度，0 … 1（论文 4.9、4.10）",
    "probability": "最近一次判断时页面切题的概率，0 … 1；没有判断过则为空",
    "withdrawn_at": "页面被撤回的时间，UTC；在库的页面为空",
    "first_seen": "首次抓取该页的时间，UTC；`fetched_at` 是抓取现行文本的时间",
    "changed_at": "最近一次发现文本不同的访问的时间，UTC；没有则为空",
    "gone_at": "发现页面已从网站消失的那次访问的时间，UTC；页面仍在则为空",
    "story": "报道的编号，同一文本的各个副本属于同一报道：为其中最先抓取的页面的编号；尚未与其他页面比较则为空",
    "copy_of": "代表该报道的页面的网址；该页面本身为空",
    "relation": "与 `copy_of` 所指页面的关系：`same-page` 同一页面、`copy` 副本、`edited` 改动过的副本或"
    " `excerpt` 节选；没有则为空",
    "compared": "最近一次与其他页面比较所用的方法；0 表示须比较",
    "relation_detail": "如此认定的依据，最重要的在前",
    "tokens": "用于查找副本的指纹；随页面写入，不读回",
    "title": "页面的标题，不含网站名",
    "final_url": "响应的网址，即重定向之后的网址",
    "site": "主机名",
    "charset": "解码所用的编码，已与页面声明的核对",
    "language": "`zh-Hans`（简体）、`zh-Hant`（繁体）、`en` 或 `und`（未定）",
    "content_hash": "规范化正文的哈希，32 位十六进制数：文本相同则哈希相同",
    "run_id": "页面入库的那次运行",
    "main_terms": "对相关度贡献最大的词及各自的份额，从大到小",
    "link": "爬虫找到该页的链接及依据：`score` 得分，`parts` 得分的各部分（名称与数），"
    "`parent` 来源页（种子为空），`anchor` 链接文字，`depth` 离最近种子的链接数",
    "author": "作者，多人以空格分隔；页面未标明则为空，以下五项同此",
    "source": "页面注明的出处媒体",
    "editor": "页面注明的编辑",
    "kind": "`article` 文章、`list` 列表、`thread` 帖子或 `other` 其他",
    "summary": "页面中最重要的几句，按原来的次序，至多 `TOPICCRAWL_SUMMARY_SENTENCES` 句",
    "keywords": "最能代表该页的词，从最好的起，至多 `TOPICCRAWL_KEYWORDS` 个；简体、小写",
    "body": "正文，不含导航和广告",
    "html": "响应的正文部分，用 zlib 压缩；仅当设置了 `TOPICCRAWL_STORE_HTML`",
}


def field_table() -> str:
    """The table as Markdown."""
    rows = ["| field | type | 名称 | meaning |", "|---|---|---|---|"]
    for field in PAGES.fields:
        declared = field.declaration
        since = f" (since format {declared.since})" if declared.since > 1 else ""
        rows.append(
            f"| `{field.key}` | {field.codec.type_name} | {declared.zh} | {declared.doc}{since} |"
        )
    return "\n".join(rows) + "\n"


def chinese_table() -> str:
    """The table for readers of Chinese."""
    rows = ["| 字段 | 类型 | 名称 | 含义 |", "|---|---|---|---|"]
    for field in PAGES.fields:
        declared, kind = field.declaration, field.codec.type_name
        meaning = MEANINGS_ZH.get(field.key, declared.doc)
        since = f"（自格式 {declared.since} 起）" if declared.since > 1 else ""
        rows.append(
            f"| `{field.key}` | {TYPES_ZH.get(kind, kind)} | {declared.zh} | {meaning}{since} |"
        )
    return "\n".join(rows) + "\n"


def written_table(path: Path = REFERENCE) -> str:
    """The table as the document at *path* has it."""
    return path.read_text("utf-8").partition(BEGIN)[2].partition(END)[0]


def main() -> None:
    for path, table in ((REFERENCE, field_table()), (CHINESE, chinese_table())):
        text = path.read_text("utf-8")
        before, _, rest = text.partition(BEGIN)
        _, _, after = rest.partition(END)
        path.write_text(f"{before}{BEGIN}{table}{END}{after}", "utf-8")


if __name__ == "__main__":
    main()
