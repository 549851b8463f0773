"""Generates what follows from the declarations of the settings.

    python -m topiccrawl.crawl.settings.reference --write

rewrites the TOPICCRAWL_ part of topiccrawl/settings.py and the tables of docs/settings.md, each
between its markers, and docs/zh/settings.md; without ``--write`` it lists the files that are out of
date.  ``make reference`` does the same.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from topiccrawl.crawl.settings.declaration import Section, Setting
from topiccrawl.crawl.settings.record import SECTIONS
from topiccrawl.text.columns import columns, wrapped

COMMAND = "make reference"
SETTINGS_FILE = Path("topiccrawl/settings.py")
DOCS_FILE = Path("docs/settings.md")
CHINESE_FILE = Path("docs/zh/settings.md")
#: First and last line of the generated part of ``topiccrawl/settings.py``.
BEGIN = f"# === Generated from topiccrawl/crawl/settings/ by `{COMMAND}` 以下自动生成 ==="
END = "# === End of the generated part 自动生成部分结束 ==="

_ROOT = Path(__file__).parents[3]
#: Columns of a line.
_WIDTH = 100
_LINK = re.compile(r"\[[^]]*\]\(([^)#]+)[^)]*\)")
_WORD = re.compile(r"name or dotted path|[a-z]+")
#: Words of rules and units, for docs/zh/settings.md.
_CHINESE = {
    "text": "文本", "flag": "True 或 False", "integer": "整数", "number": "数字", "mapping": "映射",
    "or": "或", "name or dotted path": "名称或点号路径", "attempts": "次", "characters": "字符",
    "cosine": "余弦", "links": "链接", "months": "月", "pages": "页", "queries": "次", "parameters": "个",
    "processes": "个", "records": "条", "seconds": "秒", "segments": "层", "sentences": "句", "share": "比例",
    "similarity": "相似度", "terms": "词", "times": "次", "year": "年",
}  # fmt: skip
#: Beginning of docs/zh/settings.md.
_CHINESE_HEAD = """\
# 设置

[English](../settings.md)

全部 `TOPICCRAWL_` 设置，由声明自动生成（`make reference`）。写在项目的 `settings.py` 中，或在命令行用
`-s 名称=值`。值有误时立即停止，并指出设置、规则和现值。改动过的 Scrapy 设置见
[settings.md](../settings.md#scrapy-settings-with-another-default)。
"""
_TABLE_HEAD = "| setting | default | values | unit | meaning |\n|---|---|---|---|---|\n"


class MissingMarkersError(Exception):
    """A file has lost its markers."""


def render_value(value: object) -> str:
    """Return *value* as Python source, large integers with underscores."""
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, tuple) and value:
        return f"({', '.join(map(render_value, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, float) and value.is_integer() and value > 1:
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and value >= 1_000_000:
        return f"{value:_}"
    return repr(value)


def render_settings(text: str) -> str:
    """Return *text*, the content of ``topiccrawl/settings.py``, with a new generated part."""
    parts = [part for section in SECTIONS for part in _section_source(section)]
    return _between(text, BEGIN, END, "\n" + "\n".join(parts) + "\n\n")


def render_docs(text: str) -> str:
    """Return *text*, the content of docs/settings.md, with new tables."""
    for section in SECTIONS:
        name = section.title.split()[0].lower()
        rows = "".join(_row(setting, setting.en) for setting in section.declared())
        intro = f"{section.intro}\n\n" if section.intro else ""
        begin, end = f"<!-- generated: {name} -->", f"<!-- end of {name} -->"
        text = _between(text, begin, end, f"{intro}{_TABLE_HEAD}{rows}")
    return text


def render_chinese() -> str:
    """Return the content of docs/zh/settings.md."""
    text = _CHINESE_HEAD
    for section in SECTIONS:
        text += f"\n## {section.title.split()[-1]}\n\n"
        text += f"{section.intro_zh}\n\n" if section.intro_zh else ""
        text += "| 设置 | 默认值 | 取值 | 单位 | 含义 |\n|---|---|---|---|---|\n"
        text += "".join(_row(setting, setting.zh, _in_chinese) for setting in section.declared())
    return text


#: How each generated file is built from its present content.
_RENDERERS: dict[Path, Callable[[str], str]] = {
    SETTINGS_FILE: render_settings,
    DOCS_FILE: render_docs,
    CHINESE_FILE: lambda _: render_chinese(),
}


def outdated(root: Path = _ROOT, *, write: bool = False) -> list[Path]:
    """Return the generated files below *root* that are out of date; with *write* renew them.

    Raises ``MissingMarkersError`` if a file has no markers for a section.
    """
    found = []
    for name, render in _RENDERERS.items():
        text = (root / name).read_text("utf-8") if (root / name).exists() else ""
        new = render(text)
        if new != text:
            found.append(name)
            if write:
                (root / name).write_text(new, "utf-8")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Renew or check the files; the exit code is 1 if any is out of date and stays so."""
    parser = argparse.ArgumentParser(description="Generate the settings reference.")
    parser.add_argument("--write", action="store_true", help="rewrite the files")
    options = parser.parse_args(arguments)
    found = outdated(write=options.write)
    for name in found:
        print(f"{name}: {'written' if options.write else f'out of date, run: {COMMAND}'}")
    return 1 if found and not options.write else 0


def _section_source(section: type[Section]) -> Iterable[str]:
    heading = f"# --- {section.title} "
    yield heading + "-" * (_WIDTH - columns(heading))
    yield from _comment(_plain(section.intro))
    yield from _comment(section.intro_zh)
    if section.intro:
        yield ""
    for setting in section.declared():
        yield from _comment(_plain(setting.en))
        yield from _comment(setting.zh)
        yield _assignment(setting)
    if section is not SECTIONS[-1]:
        yield ""


def _assignment(setting: Setting) -> str:
    value = setting.project_value
    annotation = {"{}": ": dict[str, str]", "()": ": tuple[str, ...]"}.get(repr(value), "")
    line = f"{setting.name}{annotation} = {render_value(value)}"
    rule = setting.rule.description
    notes = [
        note for note in (rule, setting.unit) if note not in ("", "text", "flag", "mapping", "list")
    ]
    return f"{line}  # {'; '.join(notes)}" if notes else line


def _in_chinese(words: str) -> str:
    """Return the description of a rule, or a unit, in Chinese; names of values stay."""
    return _WORD.sub(lambda found: _CHINESE.get(found[0], found[0]), words)


def _row(setting: Setting, meaning: str, words: Callable[[str], str] = str) -> str:
    default = f"`{render_value(setting.project_value)}`"
    cells = (
        f"`{setting.name}`",
        default,
        words(setting.rule.description),
        words(setting.unit),
        meaning,
    )
    return "|" + "|".join(f" {cell} " if cell else " " for cell in cells) + "|\n"


def _plain(markdown: str) -> str:
    """Return the text of a comment: links become paths from the root."""
    return _LINK.sub(r"docs/\1", markdown)


def _comment(text: str) -> Iterable[str]:
    return (f"# {line}" for line in wrapped(text, _WIDTH - 2))


def _between(text: str, begin: str, end: str, middle: str) -> str:
    before, found, rest = text.partition(f"{begin}\n")
    _, also_found, after = rest.partition(f"{end}\n")
    if not (found and also_found):
        raise MissingMarkersError(f"no lines {begin!r} and {end!r} in this order")
    return f"{before}{begin}\n{middle}{end}\n{after}"


if __name__ == "__main__":
    sys.exit(main())
