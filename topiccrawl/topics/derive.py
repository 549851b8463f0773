"""URL tokens of a topic that its user did not give: derived from its words.

A site names its folders by pinyin (``/yinyue/``), by initials (``/zgwx/``) or in English (``/music/``).
So a word of a topic gives, with shares of its own value:

==========================  =====  =====================================================
English word or phrase      0.9    as it is, its singular, and words joined by ``-``, ``_`` or nothing
English of a Chinese word   0.8    by :mod:`topiccrawl.topics.subjects`
pinyin                      0.8    of all its syllables, 6 letters or more
short pinyin                0.5    at most 5 letters; also English words of 2
initials                    0.4    of 4 syllables or more; of 3: 0.3
==========================  =====  =====================================================

Not derived are initials of two letters, which are ambiguous, and names of folders that any site has
(``news``, ``list``).  The shares are guesses, in the order of how strong a match is as evidence; those below c = 0.5
lead to no link by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from topiccrawl.text.normalize import normalize
from topiccrawl.text.pinyin import syllables
from topiccrawl.text.segment import HAN
from topiccrawl.text.stem import stem
from topiccrawl.topics.subjects import english_names
from topiccrawl.topics.urltokens import SHORT_LETTERS

ENGLISH_WORD = 0.9
ENGLISH_NAME = 0.8
PINYIN = 0.8
SHORT_PINYIN = 0.5
INITIALS = 0.4
THREE_INITIALS = 0.3

#: Pinyin of more letters is hardly ever a part of other words (a guess).
_SHORT_PINYIN_LETTERS = 5
#: Pinyin of more syllables than this is a sentence, and in no URL (a guess).
_MOST_SYLLABLES = 8
_COMMON = """
about all api app archive article articles asp bbs blog cat category channel cms cn com con content
css data default detail doc docs down download edu en file files forum gov help home htm html http
https id image images img in index info intro item items jpg js json lib link list login mail main
map media member mobile more net new news node org page pages pdf php pic pics post posts rss search
show site sitemap src static story sub tag tags test thread top topic topics upload user users video
view wap web wiki www xml zh zt
"""
#: Names of folders, files and hosts of any site, which are not a topic's words (common knowledge).
COMMON_FOLDERS = frozenset(_COMMON.split())

_WORD = re.compile(r"[a-z0-9]+")
_HAN = re.compile(f"[{HAN}]")


def derive_url_tokens(words: Iterable[tuple[str, float]]) -> dict[str, float]:
    """Return the URL tokens of *words*, which have values in (0, 1]: values by token, best first.

    If several words give one token, it has the largest value.
    """
    tokens: dict[str, float] = {}
    for word, value in words:
        for token, share in _tokens(normalize(word).strip()):
            if token.strip("/") not in COMMON_FOLDERS:
                tokens[token] = max(tokens.get(token, 0.0), round(share * value, 2))
    return dict(sorted(tokens.items(), key=lambda item: (-item[1], item[0])))


def _tokens(word: str) -> Iterator[tuple[str, float]]:
    if not _HAN.search(word):
        for token in _english(word):
            yield token, ENGLISH_WORD if len(token) > 2 else SHORT_PINYIN
        return
    yield from ((token, ENGLISH_NAME) for token in english_names().get(word, ()))
    parts = syllables(word)
    if not 0 < len(parts) <= _MOST_SYLLABLES:
        return
    pinyin = "".join(parts)
    if len(pinyin) > _SHORT_PINYIN_LETTERS:
        yield pinyin, PINYIN
    elif len(pinyin) > 1:
        yield f"/{pinyin}/", SHORT_PINYIN
    if len(parts) > 2:
        initials = "".join(part[0] for part in parts)
        yield f"/{initials}/", INITIALS if len(parts) > 3 else THREE_INITIALS


def _english(phrase: str) -> Iterator[str]:
    words = _WORD.findall(phrase)
    if len(words) > 1:
        yield from dict.fromkeys(joint.join(words) for joint in ("-", "_", ""))
    elif words and len(words[0]) > 1 and words[0] not in COMMON_FOLDERS:
        yield words[0]
        singular = _singular(words[0])
        # A longer singular is found inside of the plural.
        if singular != words[0]:
            yield singular
        elif 2 < len(singular) <= SHORT_LETTERS and singular[-1] != "s":
            yield singular + "s"


def _singular(word: str) -> str:
    """Return the singular of an English plural in -s or -ies, other words unchanged."""
    if word.endswith(("ss", "us", "is", "ics")):
        return word
    for ending, letters in (("ies", "y"), ("s", "")):
        short = word.removesuffix(ending) + letters
        if short != word + letters and len(short) > 2 and stem(short) == stem(word):
            return short
    return word
