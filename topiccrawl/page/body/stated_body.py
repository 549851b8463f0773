"""Body text stated in a page's metadata: the description and JSON-LD."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from topiccrawl.page.body.joined_lines import JoinedLines
from topiccrawl.page.words_only import words_only

_DESCRIPTIONS = ("description", "og:description", "twitter:description")
# Characters of a piece of the description.
_PIECE = 6
# Characters of the description that are searched for.
_DESCRIPTION_CHARACTERS = 120
# Characters of a line that are searched in.
_LINE_CHARACTERS = 200
# First characters of a line that must be in the stated body.
_LINE_START = 20
_NOT_WORD = re.compile(r"\W+")
_ARTICLE_BODY = re.compile(r'"articleBody"\s*:\s*"((?:[^"\\]|\\.)*)"')


def share_of_description(meta: Mapping[str, str], lines: Sequence[str]) -> list[float]:
    """Return the share of a page's description that each line contains.

    Many sites use the first sentences of the body as the description.

    Parameters
    ----------
    meta : mapping of str to str
        Meta tags by name or property in lower case.
    lines : sequence of str
        Lines of the page in lower case, without line ends.

    Returns
    -------
    list of float
        For each line the share of the pieces of the description in it, in [0, 1]; of several
        descriptions the best counts.
    """
    shares = [0.0] * len(lines)
    descriptions = {
        _NOT_WORD.sub("", meta.get(key, "")[:300]).lower()[:_DESCRIPTION_CHARACTERS]
        for key in _DESCRIPTIONS
    }
    descriptions = {text for text in descriptions if len(text) >= 2 * _PIECE}
    if not descriptions:
        return shares
    plain = JoinedLines(_words_only(lines))
    for text in descriptions:
        pieces = [text[i : i + _PIECE] for i in range(0, len(text) - _PIECE + 1, _PIECE)]
        hits = Counter(i for piece in pieces for i in plain.containing(piece))
        for i, count in hits.items():
            shares[i] = max(shares[i], count / len(pieces))
    return shares


def in_article_body(json_ld: Sequence[str], lines: Sequence[str]) -> list[bool] | None:
    """Return whether each line is in the ``articleBody`` of the JSON-LD; None if there is none.

    Parameters
    ----------
    json_ld : sequence of str
        Texts of the page's JSON-LD scripts.
    lines : sequence of str
        Lines of the page in lower case, without line ends.
    """
    body = "".join(m.group(1) for text in json_ld for m in _ARTICLE_BODY.finditer(text))
    if not body:
        return None
    body = _NOT_WORD.sub("", body).lower()
    return [len(line) >= _PIECE and line[:_LINE_START] in body for line in _words_only(lines)]


def _words_only(lines: Sequence[str]) -> list[str]:
    text = "\n".join([line[:_LINE_CHARACTERS] for line in lines])
    return words_only(text).split("\n") if lines else []
