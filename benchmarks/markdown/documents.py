"""Draw documents: paragraphs, headings, lists, tables, quotations, code and figures."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from benchmarks.corpus.stories import TOPICS, read_lines, story

_PLACES = ("北岭", "东港", "南坪", "西山", "中湾", "上坝", "石桥", "青田", "临水", "高坡")
_COLUMNS = (
    "年份",
    "人数",
    "金额（万元）",
    "同比增长",
    "户数",
    "面积（亩）",
    "备注",
    "名称",
    "单位",
    "占比",
)
_UNITS = ("%", " 万", " 户", "", "", " 吨")
_LANGUAGES = ("python", "javascript", "sql", "bash", "java", "")
_CODE = {
    "python": (
        "import csv", "", "def read(path):", '    """Return the rows."""', "    with open(path) as file:",
        "        return list(csv.reader(file))", "", "for row in read('data.csv'):", "    if row[0] != '#':",
        "        print(row[0], '|', row[1])", "total = sum(int(x) for x in rows) * 2",
    ),
    "javascript": (
        "const a = document.querySelector('#list');", "function show(items) {",
        "  for (const item of items) {", "    a.innerHTML += `<li>${item.name}</li>`;", "  }", "}", "",
        "// 读取数据", "fetch('/api/list').then(r => r.json()).then(show);",
    ),
    "sql": (
        "SELECT name, COUNT(*) AS n", "FROM visits", "WHERE year >= 2020 AND place <> ''", "GROUP BY name",
        "ORDER BY n DESC", "LIMIT 10;", "-- 结束",
    ),
    "bash": (
        "$ npm install -g some-tool", "$ some-tool --help | grep 'out'", "export PATH=$PATH:/opt/bin", "# 清理",
        "rm -f *.tmp && echo done", "for f in *.txt; do", "    wc -l \"$f\"", "done",
    ),
    "java": (
        "public class Main {", "    public static void main(String[] args) {",
        "        List<String> names = new ArrayList<>();", "        for (int i = 0; i < 10; i++) {",
        "            names.add(\"n\" + i);", "        }", "        System.out.println(names.size());", "    }", "}",
    ),
    "": ("server:", "  port: 8080", "  host: 127.0.0.1", "log:", "  level: info", "  path: /var/log/app.log"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a list, with the list in it."""

    text: str
    inner: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a document."""

    kind: str
    """``paragraph``, ``heading``, ``list``, ``table``, ``quotation``, ``code`` or ``figure``."""
    text: str = ""
    """Text, caption of a figure or program text."""
    level: int = 2
    """Level of a heading, from 2."""
    ordered: bool = False
    items: tuple[Item, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    lines: tuple[str, ...] = ()
    """Paragraphs of a quotation."""
    language: str = ""
    source: str = ""
    """Address of an image."""


@dataclass(frozen=True, slots=True)
class Document:
    """A title and the parts below it."""

    title: str
    place: str
    parts: tuple[Part, ...] = field(default=())


def document(draw: Random, kind: str) -> Document:
    """Return a document; *kind* is one of :data:`KINDS`."""
    text = story(draw, draw.choice(TOPICS), least=5, most=8)
    paragraphs = [Part("paragraph", line) for line in text.paragraphs]
    parts = list(paragraphs)
    for make in KINDS[kind]:
        parts.insert(draw.randint(1, len(parts) - 1), make(draw))
    if "heading" in kind or draw.random() < 0.4:
        parts = _with_headings(draw, parts)
    return Document(text.title, text.place, tuple(parts))


def _with_headings(draw: Random, parts: list[Part]) -> list[Part]:
    """Put headings before some paragraphs."""
    found: list[Part] = []
    number = 0
    for i, part in enumerate(parts):
        if part.kind == "paragraph" and i and draw.random() < 0.4:
            number += 1
            level = 3 if number > 1 and draw.random() < 0.3 else 2
            found.append(Part("heading", _heading(draw, number), level=level))
        found.append(part)
    return found


def _heading(draw: Random, number: int) -> str:
    name = draw.choice(
        (
            "背景",
            "经过",
            "做法与成效",
            "存在的问题",
            "下一步安排",
            "数据说明",
            "居民的看法",
            "安装与配置",
        )
    )
    return draw.choice(
        (f"{'一二三四五六七八九十'[number % 10]}、{name}", name, f"{number}. {name}")
    )


def _sentence(draw: Random) -> str:
    lines = [x for x in read_lines(draw.choice(TOPICS)) if not x.startswith("# ")]
    text = draw.choice(lines)
    for slot, value in (
        ("{地}", draw.choice(_PLACES)),
        ("{数}", "36"),
        ("{年}", "2019"),
        ("{日}", "12"),
    ):
        text = text.replace(slot, value)
    return text


def _short(draw: Random) -> str:
    return _sentence(draw).split("，")[0].split("。")[0]


def _list(draw: Random) -> Part:
    short = draw.random() < 0.5
    items = [
        Item(_short(draw) if short else _sentence(draw).split("。")[0] + "。")
        for _ in range(draw.randint(3, 6))
    ]
    if draw.random() < 0.35:
        at = draw.randrange(len(items))
        items[at] = Item(items[at].text, tuple(_short(draw) for _ in range(draw.randint(2, 3))))
    return Part("list", ordered=draw.random() < 0.4, items=tuple(items))


def _table(draw: Random) -> Part:
    columns = draw.sample(_COLUMNS, draw.randint(2, 6))
    rows = [("地区", *columns)]
    rows += [
        (place, *(f"{draw.randrange(10, 5_000)}{draw.choice(_UNITS)}" for _ in columns))
        for place in draw.sample(_PLACES, draw.randint(3, 8))
    ]
    return Part("table", rows=tuple(rows))


def _quotation(draw: Random) -> Part:
    return Part("quotation", lines=tuple(_sentence(draw) for _ in range(draw.randint(1, 2))))


def _code(draw: Random) -> Part:
    language = draw.choice(_LANGUAGES)
    lines = _CODE[language]
    return Part(
        "code", "\n".join(lines[: draw.randint(3, len(lines))]).strip("\n"), language=language
    )


def _figure(draw: Random) -> Part:
    caption = draw.choice(read_lines("captions")).replace("{地}", draw.choice(_PLACES))
    return Part("figure", caption, source=f"/upload/2021/{draw.randrange(10**6)}.jpg")


#: The structures in documents of each kind.
KINDS = {
    "plain": (),
    "heading": (),
    "list": (_list, _list),
    "table": (_table,),
    "quotation": (_quotation, _quotation),
    "code": (_code, _code, _list),
    "figure": (_figure, _figure),
    "report": (_table, _table, _list, _figure),
    "guide": (_code, _list, _table, _quotation, _figure),
}
