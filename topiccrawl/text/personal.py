"""Mask mobile numbers, identity numbers and e-mail addresses in texts.

What is masked:

- *Mobile numbers* of mainland China: 11 digits that begin with 13 to 19, with or without +86 and with
  separators as people write them; those of Hong Kong, Macao and Taiwan in international form.
- *Identity numbers*: 18 characters with the code of a province, a date of birth and the check digit of
  GB 11643 (ISO 7064, MOD 11-2); also those of foreigners with permanent residence, which begin with 9.
- *E-mail addresses*, also with ``(at)``, ``[at]`` or ``#`` in place of the at sign.

What only looks like it stays: numbers in addresses of pages, parts of longer numbers and of names of files,
amounts with a unit, and numbers that are named as those of an order, a document or an account.

Full-width characters are read as their ASCII forms, and characters that are not seen are skipped.  A masked
text stays as it is when it is masked again, unless addresses stand side by side without a separator.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from topiccrawl.text.personal_mail import mail_spans
from topiccrawl.text.personal_numbers import identity_spans, mobile_spans

#: Full-width forms with the ASCII characters that they stand for, for ``str.translate``.
FULL_WIDTH: Final = {code: chr(code - 0xFEE0) for code in range(ord("！"), ord("～") + 1)}
#: Full-width forms, other hyphens and blanks, each with the one ASCII character that it stands for.
_PLAIN: Final = {
    **FULL_WIDTH,
    **dict.fromkeys(map(ord, "‐‑‒–—―−﹣"), "-"),
    **dict.fromkeys(map(ord, "\u00a0\u2002\u2003\u2005\u2007\u2009\u202f\u3000\t"), " "),
    ord("﹫"): "@",
    ord("﹒"): ".",
}
#: Characters that are not seen: they separate no digits.
_INVISIBLE: Final = re.compile("[\u00ad\u034f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
#: A text without any of these has nothing to mask, which is the rule: it is not read further.
_WORTH: Final = re.compile(
    r"1[\W_]{0,3}[3-9](?:[\W_]{0,3}\d){6}|\d{6}[\W_]{0,3}(?:1[89]|20)\d\d|[１-９](?:[\W_]{0,3}\d){9}|[@＠﹫]"
    r"|\+|00[\W_]?8|[零〇一二三四五六七八九幺]{11}|[A-Za-z\d]#[A-Za-z\d]|\bat\b",
    re.IGNORECASE,
)
#: Addresses of pages, with or without a scheme: the numbers in them are not those of persons.
_ADDRESS: Final = re.compile(
    r"(?:https?|ftp)://[!-~]+|\bwww\.[!-~]+|(?<![a-z0-9.-])(?:[a-z0-9-]{1,63}\.){1,5}[a-z]{2,10}(?::\d+)?/[!-~]*",
    re.IGNORECASE | re.ASCII,
)


def masked(text: str) -> str:
    """Return *text* with a mask over each number or address of a person.

    A mobile number keeps its first three and last four digits, an identity number the same, an e-mail address
    its first character and its host.

    >>> masked("电话：13912345678，邮箱：zhang.san@example.com")
    '电话：139****5678，邮箱：z***@example.com'
    """
    parts, last = [], 0
    for start, end, mask in find_personal(text):
        parts += [text[last:start], mask]
        last = end
    return "".join([*parts, text[last:]]) if parts else text


def find_personal(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, mask) of what is masked in *text*, in order, without overlaps.

    Takes time linear in the length of *text*.
    """
    if _WORTH.search(text) is None:
        return
    plain, places = _plain(text)
    addresses = [found.span() for found in _ADDRESS.finditer(plain)]
    spans = [*mail_spans(plain), *identity_spans(plain), *mobile_spans(plain, addresses)]
    last = 0
    for start, end, mask in sorted(spans, key=lambda it: (it[0], -it[1])):
        first, after = (places[start], places[end - 1] + 1) if places else (start, end)
        if first >= last:
            yield first, after, mask
            last = after


def _plain(text: str) -> tuple[str, list[int]]:
    """Return *text* in ASCII forms, and the place of each character in *text* if some were left out."""
    plain = text.translate(_PLAIN)
    if _INVISIBLE.search(plain) is None:
        return plain, []
    places = [n for n, c in enumerate(plain) if not _INVISIBLE.match(c)]
    return "".join(plain[n] for n in places), places
