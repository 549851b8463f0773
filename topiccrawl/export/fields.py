"""The columns of an export: which ones, and their headings."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final, Literal, get_args

from topiccrawl.errors import OptionError
from topiccrawl.language import _, listed
from topiccrawl.store.columns import COLUMNS, Column, Value

#: What stands above the columns of a table: a name in Chinese or English, or that of the field.
Headings = Literal["zh", "en", "fields"]

#: Values of ``--lang``.
HEADINGS: tuple[str, ...] = get_args(Headings)


#: Words for kinds and languages of pages below Chinese headings.
KINDS_IN_CHINESE: Final = {"article": "文章", "list": "列表", "thread": "帖子", "other": "其他"}
LANGUAGES_IN_CHINESE: Final = {
    "zh-Hans": "简体中文",
    "zh-Hant": "繁体中文",
    "en": "英文",
    "und": "未知",
}
#: What tables with Chinese headings show of fields with few values, by heading.
_IN_CHINESE: Final[Mapping[str, Mapping[str, str]]] = {
    "类型": KINDS_IN_CHINESE,
    "语言": LANGUAGES_IN_CHINESE,
    "字体": {"simplified": "简体", "traditional": "繁体"},
    "与原文的关系": {
        "same-page": "同一网页", "copy": "转载", "edited": "改动过的转载", "excerpt": "节选",
    },
    # Of the tables of `scrapy stories` and `scrapy trends`.
    "依据": {
        "link": "有链接指向", "source-line": "来源行", "credit": "文中注明", "dateline": "电头",
        "report": "据其报道", "text": "改动相同", "time": "仅凭时间",
    },
    "项目": {"total": "总数", "site": "站点", "kind": "类型", "language": "语言", "term": "词"},
}  # fmt: skip


def shown_value(column: Column, value: Value, headings: Headings) -> Value:
    """Return *value* as the cells below such *headings* have it: in Chinese below Chinese ones."""
    if headings != "zh":
        return value
    if isinstance(value, bool):
        return "是" if value else "否"
    return _IN_CHINESE.get(column.zh, {}).get(value, value) if isinstance(value, str) else value


def heading(column: Column, headings: Headings) -> str:
    """Return the heading of *column*."""
    if headings == "fields":
        return column.name
    return column.zh if headings == "zh" else column.en[:1].upper() + column.en[1:]


def choose_columns(
    names: str | None,
    option: str = "--fields",
    *,
    known: Mapping[str, Column] = COLUMNS,
    on_request: Collection[str] = (),
) -> list[Column]:
    """Return the columns of *known* that *names* lists (comma-separated).

    ``None`` stands for all but those *on_request*.  Headings are names, too.  *option* is the origin of the
    names, for messages.

    Raises :class:`OptionError` with the choices for an unknown, missing or repeated name.
    """
    if names is None:
        return [column for column in known.values() if column.name not in on_request]
    chosen = [name.strip() for name in re.split("[,，、]", names) if name.strip()]
    headings = {text.casefold(): it.name for it in known.values() for text in (it.en, it.zh)}
    chosen = [name if name in known else headings.get(name.casefold(), name) for name in chosen]
    for name in chosen:
        if name not in known:
            raise OptionError(
                _("{option}: unknown field {name!r}; choose from {columns}").format(
                    option=option, name=name, columns=listed(known)
                )
            )
    if not chosen:
        raise OptionError(
            _("{option} names none; choose from {columns}").format(
                option=option, columns=listed(known)
            )
        )
    if len(set(chosen)) < len(chosen):
        raise OptionError(
            _("{option} names a field twice: {chosen}").format(option=option, chosen=listed(chosen))
        )
    return [known[name] for name in chosen]
