"""Notices that two offices publish in the same words: each is signed by one that the other does not name.

Chinese official documents name who issues them at the beginning of the title, before 关于, and in a line of its
own at the end of the text (GB/T 9704-2012, 7.3); forms have such a line with a label (填报单位：).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import takewhile
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from topiccrawl.dedup.prepared import PreparedPage

#: Shingles up to which a text can be the notice of an office (a choice: a law or a report under which two offices
#: put their names is longer, and one text).
NOTICE: Final = 1_000
#: Characters of a name that two titles have in common at most (a choice).
_LONGEST: Final = 24
#: Characters that two titles have in common after the names of the offices (a choice: 关于 and what it is about).
_MATTER: Final = 4

#: What names of offices and institutions end with.
_OFFICES: Final = (
    "政府|办公室|[侨外台]办|委员会|居委会|村委会|联合会|联谊会|同乡会|协会|商会|学会|研究会|总会|基金会|工会|[侨妇残文]联"
    "|工商联|科协|政协|[省市县区]委|团委|(?:统战|宣传|组织)部|[局厅院馆]|[支大中]队|派出所|研究所|事务所|(?:办事|管理|服务)处"
    "|大学|中学|小学|学校|幼儿园|公司|集团|银行|中心|服务站"
)
_NAME: Final = rf"[\u4e00-\u9fff]{{1,24}}?(?:{_OFFICES})+"
_IS_NAME: Final = re.compile(_NAME)
#: A line that is a name: behind a label, before a seal or a date.
_SIGNATURE: Final = re.compile(
    rf"[\s_]*(?:(?P<label>[\u4e00-\u9fff]{{2,8}})\s*[:：]\s*)?(?P<name>{_NAME})"
    r"(?:[(（][盖公]?章[)）])?\s*(?:\d{2,4}年\d{1,2}月\d{1,2}日)?\s*"
)
#: Longest line that can be one, in characters: label, name, seal and date.
_LINE: Final = 60
#: Labels of where a text was taken from, and of who runs a site.
_CREDIT: Final = re.compile("来源|出处|供稿|转|摘|编辑|作者|[主承协]办|版权|支持")


def differently_signed(a: PreparedPage, b: PreparedPage) -> bool:
    """Return whether the pages are a notice in the name of two offices."""
    if min(a.size, b.size) > NOTICE:
        return False
    in_titles = _at_the_head("".join(a.title), "".join(b.title))
    return _are_others(in_titles[:1], in_titles[1:], a, b) or _are_others(
        a.signatures, b.signatures, a, b
    )


def _are_others(
    first: Iterable[str], second: Iterable[str], a: PreparedPage, b: PreparedPage
) -> bool:
    """Return whether there are names in both, and none of them is, in full or short, in the other text."""
    mine, its = set(first), set(second)
    return (
        bool(mine and its)
        and not any(name in b.text for name in mine)
        and not any(name in a.text for name in its)
        and not any(_abbreviates(m, i) or _abbreviates(i, m) for m in mine for i in its)
    )


def signatures(text: str) -> list[str]:
    """Return the names of offices that stand in lines of their own."""
    found = (_SIGNATURE.fullmatch(line) for line in text.splitlines() if len(line) <= _LINE)
    return [it["name"] for it in found if it and not _CREDIT.search(it["label"] or "")]


def _at_the_head(first: str, second: str) -> tuple[str, ...]:
    """Return the offices at the head of two titles that are equal from there on, nothing for other titles."""
    if first == second:
        return ()
    pairs = zip(reversed(first), reversed(second), strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    for at in range(min(same - _MATTER, _LONGEST) + 1):
        names = tuple(title[: len(title) - same + at] for title in (first, second))
        if all(map(_IS_NAME.fullmatch, names)):
            return names
    return ()


def _abbreviates(short: str, name: str) -> bool:
    """Return whether *short* has characters of *name* in their order: 市侨办 is short for 市侨务办公室."""
    rest = iter(name)
    return all(character in rest for character in short)
