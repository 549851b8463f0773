"""The date that the scripts of a page state, where the page shows none: ``var publishTime = "2021-03-17 12:00"``.

Articles of WeChat state theirs in variables of their own, which outweigh all others.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from topiccrawl.page.dates.formats import CHINA_TIME, is_plausible, parse_field

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

#: Names of publication in programs; ``ct`` is that of WeChat. The border of the word is tested behind its first letter.
_NAMED: Final = re.compile(
    r"(?:p(?<![\w-]p)ub(?:lish(?:ed)?)?_?(?:date|time|at)|p(?<![\w-]p)ub(?:lish(?:ed)?)?_?(?:Date|Time|At)"
    r"|c(?<![\w-]c)reate_?(?:[tT]ime|[dD]ate)|o(?<![\w-]o)ri_?[cC]reate_?[tT]ime|c(?<=\bvar c)t)"
    r"[\"']?\s{0,3}[:=]\s{0,3}(?:(?:new )?[\w.]{1,20}\()?[\"']?"
    r"(?P<date>(?:19|20)\d\d[-/.年]\d[^\"'<>;]{3,30}|1\d{9}(?:\d{3})?(?!\d))"
)
#: Part of each of them, found ten times faster: most pages have none.
_CT: Final = "var ct"
_HINTS: Final = (
    re.compile("pub(?:lish(?:ed)?)?_?(?:[dD]ate|[tT]ime|[aA]t)"),
    re.compile("reate_?(?:[tT]ime|[dD]ate)"),
)
#: The variables of WeChat, in seconds and as text; templates have a time of 0 where a program has not filled one in.
_WECHAT_TIME: Final = re.compile(
    r"\b(?:var\s+ct|window\.ct|oriCreateTime|ori_create_time|create_time)\s*[=:]\s*(?:JsDecode\()?[\"'](\d{10})[\"']"
)
_WECHAT_DAY: Final = re.compile(r"\bcreateTime\s*[=:]\s*[\"'](\d{4}-\d\d-\d\d(?: \d\d:\d\d)?)[\"']")
#: Id of the body of its articles.
_WECHAT_BODY: Final = "js_content"
#: The beginning of a list of comments, whose entries have dates of their own, and the characters before a date among
#: which it is searched (a guess: an entry or two).
_COMMENTS: Final = re.compile(
    r"(?:comment|repl(?:y|ies))\w{0,12}[\"']?\s?[:=]\s?\[[^\]]*$", re.IGNORECASE
)
_ENTRY: Final = 400
#: Dates of one page that are read (a guess: the state of an application has some of each article that it links).
_MOST: Final = 20


def date_in_scripts(text: str, now: datetime) -> datetime | None:
    """Return the moment that scripts state as the publication, None if there is none, or several days.

    Parameters
    ----------
    text : str
        The HTML.
    now : datetime
        Time of the fetch; without a time zone it is taken to be in China's.
    """
    now = now if now.tzinfo else now.replace(tzinfo=CHINA_TIME)
    if _WECHAT_BODY in text and (moment := wechat_time(text, now)):
        return moment
    found = [*_dates(text, now)]
    if len({moment.date() for moment in found}) != 1:
        return None
    return max(
        found, key=lambda moment: (moment.time().isoformat() > "00:00:00", moment.second == 0)
    )


def wechat_time(text: str, now: datetime) -> datetime | None:
    """Return the moment at which an article of WeChat was published, by the variables of its HTML.

    Parameters
    ----------
    text : str
        The HTML, or its beginning.
    now : datetime
        Time of the fetch, with a time zone.
    """
    match = _WECHAT_TIME.search(text) or _WECHAT_DAY.search(text)
    found = match and parse_field(match[1], now)
    if not found or not is_plausible(found.moment, now):
        return None
    return found.moment.astimezone(CHINA_TIME)


def _dates(text: str, now: datetime) -> Iterator[datetime]:
    if _CT not in text and not any(hint.search(text) for hint in _HINTS):
        return
    for number, match in enumerate(_NAMED.finditer(text)):
        if number == _MOST:
            return
        if _COMMENTS.search(text[max(0, match.start() - _ENTRY) : match.start()]) is not None:
            continue
        value = match["date"]
        found = parse_field(value[:10] if value.isdigit() else value, now)
        if found is not None and is_plausible(found.moment, now):
            yield found.moment.astimezone(CHINA_TIME)
