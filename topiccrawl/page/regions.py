"""Regions of a page: navigation, header, body, list and so on."""

from __future__ import annotations

import re
from functools import lru_cache

#: Names of all regions, in the order of the body model's columns. Outside of all regions the name is the
#: empty string.
REGIONS = (
    "nav", "header", "footer", "aside", "main", "body", "list", "related", "pager", "comment",
)  # fmt: skip

_BY_TAG = {
    "nav": "nav",
    "header": "header",
    "footer": "footer",
    "aside": "aside",
    "main": "main",
    "article": "body",
}
_LIST_TAGS = frozenset({"ul", "ol", "dl"})
# A list in one of these regions belongs to it (a menu is made of a list).
_KEEP_IN = frozenset({"nav", "header", "footer", "aside", "related", "pager", "comment"})
# Words in class and id, in English and in pinyin, as on Chinese sites; the first match counts.
_WORDS = (
    ("pager", r"pager|pages?-?bar|pagination|paginator|page-?nav|fenye|turn-?page"),
    ("comment", r"comments?|reply|replies|pinglun|liuyan"),
    ("related", r"related?|relation|xiangguan|recommend(?:ed)?|tuijian|hot-?(?:news|list)?"),
    ("nav", r"nav(?:i|igation|bar)?|menus?|bread-?crumbs?|crumbs?|position|weizhi|daohang|dh"),
    ("footer", r"foot(?:er)?|bottom|copy-?right|banquan|friend-?links?|youqing"),
    ("header", r"head(?:er)?|top(?:bar)?|banner|masthead|logo"),
    ("aside", r"aside|side(?:bar)?|right(?:bar|box|col)?|left(?:bar|nav|col)|widget"),
    ("body", r"article|content|detail|zhengwen|text|post(?:-?body)?|entry|news_?body|main-?text"),
    ("list", r"list|lists|news-?list|liebiao|index-?list"),
    ("main", r"main|wrapper-?main"),
)
_TITLE_WORDS = r"title|headline|tit|biaoti|bt|subject"


def _any_of(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![a-z])(?:{words})(?![a-z])")


_BY_WORD = tuple((region, _any_of(words)) for region, words in _WORDS)
_TITLE = _any_of(_TITLE_WORDS)
# Most names contain none of the words: one search instead of eleven.
_ANY_WORD = _any_of("|".join([*(words for _, words in _WORDS), _TITLE_WORDS]))
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


#: Characters of class and id that count. Longer ones must not become keys of caches: a page can hold
#: megabytes of them.
CLASS_CHARACTERS = 200
#: Names that are cached, here and for other cues: 122 pages of 65 sites have 9,900 (2026-11), and with less room each
#: page would find those of the others in place of its own.
CACHED_NAMES = 16_384
#: Longest tag with a meaning: ``blockquote``, and room.
_MAX_TAG = 16


def in_dashes(class_and_id: str) -> str:
    """Return names such as ``mainContent`` and ``main_content`` in one form: ``main-content``."""
    return _CAMEL.sub("-", class_and_id).lower().replace("_", "-")


def region_by_names(class_and_id: str) -> tuple[str, bool]:
    """Return the region that class and id name (or ""), and whether they name a title."""
    return _by_names(class_and_id[:CLASS_CHARACTERS])


@lru_cache(maxsize=CACHED_NAMES)
def _by_names(class_and_id: str) -> tuple[str, bool]:
    plain = in_dashes(class_and_id)
    if _ANY_WORD.search(plain) is None:
        return "", False
    region = next((name for name, pattern in _BY_WORD if pattern.search(plain)), "")
    return region, _TITLE.search(plain) is not None


def is_edit_link(class_and_id: str) -> bool:
    """Return whether class and id are those of the link to edit a section, behind each heading of MediaWiki."""
    return class_and_id.startswith("mw-editsection")


def region_of(tag: str, by_names: str, inherited: str) -> str:
    """Return the region of an element: by its tag or names, else the inherited one."""
    return _region_of(tag[:_MAX_TAG], by_names, inherited)


@lru_cache(maxsize=4096)
def _region_of(tag: str, by_names: str, inherited: str) -> str:
    own = _BY_TAG.get(tag) or by_names
    if not own and tag in _LIST_TAGS:
        own = "list"
    if own == "list" and inherited in _KEEP_IN:
        return inherited
    return own or inherited
