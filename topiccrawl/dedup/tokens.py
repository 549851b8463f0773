"""Tokens of a page: numbers of which any page that may be its copy shares at least one.

A page has three kinds of tokens: one of its whole text; a sample of the shingles of its text; and
pairs of the rarest terms of its title, with the days in which the title is compared.  They are the same
wherever and whenever they are computed, so that any worker finds by them what any other has stored.

The sample is *winnowing* [Schleimer 2003]: of each run of W consecutive shingles, the one with the least
hash.  Two texts that have W consecutive shingles in common share a token, wherever the run begins and
however long the texts are: that is what finds excerpts and gathered texts.  The shingles of a sample with
a long window are in the sample of the same text with a shorter one, so short texts can be sampled densely
and very long ones sparsely, and they still compare.
"""

from __future__ import annotations

import hashlib
from datetime import datetime
from functools import lru_cache
from typing import Final, Literal, get_args

import numpy as np

from topiccrawl.dedup.shingles import ShingleSequence
from topiccrawl.dedup.title_vectors import TitleVector, title_keys

#: Version of the tokens and of the comparison; stored with each page, which is compared again when it
#: differs.
METHOD: Final = 3

TokenKind = Literal["body", "shingle", "title"]
_KINDS: Final[tuple[TokenKind, ...]] = get_args(TokenKind)
_KIND_BITS: Final = 2
_BODY, _SHINGLE, _TITLE = (_KINDS.index(of) for of in _KINDS)

#: Bits of a token: SQLite keeps integers of up to 48 bits, with the sign, in 6 bytes, longer ones in 8.
#: Two of ten million different shingles meet in one of 45 bits with a probability of 3e-7 each.
TOKEN_BITS: Final = 47
_HASH_MASK: Final = (1 << TOKEN_BITS) - (1 << _KIND_BITS)

#: Days before and after a title in which similar ones are looked for.  A story lives for weeks; of pairs of
#: real headlines at a cosine of .8, those farther apart were mostly forms (a choice).
WINDOW_DAYS: Final = 30
_BUCKET_DAYS: Final = WINDOW_DAYS + 1
#: Highest bits of a title's token, which number its bucket: the tokens of neighboring days are together in
#: the table of a store, so that finding titles does not slow down while it grows.  The 35 bits of the terms
#: lead one of 5,000 titles to a wrong candidate among 100,000; 1,024 buckets are 87 years.
_BUCKET_BITS: Final = 10

#: Day of a page without any time: such titles are compared among themselves.
UNDATED: Final = -1_000_000

#: Window of the sample, in shingles: two texts with so many consecutive ones in common share a token.  Of
#: excerpts of 100, 200 and 300 characters of 1,173 texts, real news and Chinese manuals, 81, 95 and 99 % are
#: found with 64 and 29 tokens a text; 70, 92 and 98 % with 96 and 19 tokens; 72, 92 and 97 % with the
#: shingles that are "0 mod 32", 31 tokens; 1, 15 and 39 % with MinHash and 32 bands (2026-11-22,
#: benchmarks/duplicates_candidates.py).
WINDOW: Final = 64
#: Tokens that the sample of a short text should have: its window is shorter, as far as needed (a guess).
_FEWEST: Final = 12
#: Tokens that the sample of a long text may have: the window grows, to bound what one page costs (a choice).
_MOST: Final = 512


def day_of(published_at: datetime | None, fetched_at: datetime | None) -> int:
    """Return the day on which a title is compared, in days since 1970 (UTC).

    It is the day of publication, or of the fetch if the page states none or one in the future;
    :data:`UNDATED` without either.
    """
    times = [time.timestamp() for time in (published_at, fetched_at) if time is not None]
    return int(min(times) // 86_400) if times else UNDATED


def kind(token: int) -> TokenKind:
    """Return what a token is of."""
    return _KINDS[token & (1 << _KIND_BITS) - 1]


def body_tokens(body: ShingleSequence) -> tuple[int, ...]:
    """Return the tokens of a text, for storing and for looking up: of all of it, and of its sample.

    Texts with :data:`WINDOW` consecutive shingles in common share one, unless one of them has more than
    16,000 shingles.

    Parameters
    ----------
    body
        Shingles of the text in order, see :func:`~topiccrawl.dedup.shingles.shingle_sequence`.
    """
    if not len(body):
        return ()
    # The low bits: the high ones of the least hashes are all alike.
    sampled = sample(body, _window(len(body))) & np.uint64(_HASH_MASK) | np.uint64(_SHINGLE)
    return (_hash(body.tobytes()) | _BODY, *dict.fromkeys(sampled.tolist()))


def title_tokens(title: TitleVector, day: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the tokens under which a title is stored, and those by which similar ones are found.

    A title whose cosine reaches the threshold, and whose day differs by at most :data:`WINDOW_DAYS`, is
    found.  Some of the titles found are up to twice as many days away.

    Parameters
    ----------
    title
        See :class:`~topiccrawl.dedup.title_vectors.TitleVectors`.
    day
        See :func:`day_of`.
    """
    low = (1 << TOKEN_BITS - _BUCKET_BITS) - 1
    keys = [_hash(key.encode("utf-8", "replace")) & low | _TITLE for key in title_keys(title)]
    here = day // _BUCKET_DAYS
    stored, before, after = (
        [at % (1 << _BUCKET_BITS) << TOKEN_BITS - _BUCKET_BITS | key for key in keys]
        for at in (here, here - 1, here + 1)
    )
    return tuple(stored), (*stored, *before, *after)


@lru_cache(maxsize=64)
def salt(topic: str) -> int:
    """Return the number that is xored into the tokens of a topic, so that topics do not share tokens."""
    return _hash(topic.encode("utf-8", "replace"))


def sample(body: ShingleSequence, window: int) -> ShingleSequence:
    """Return the least hash of each run of *window* shingles, in order; of all of them if fewer.

    Those of neighboring runs, which are mostly the same, are returned once.
    """
    if not len(body):
        return body
    window = min(window, len(body))
    least, width = body, 1
    while 2 * width <= window:
        least = np.minimum(least[:-width], least[width:])
        width *= 2
    if width < window:
        least = np.minimum(least[: width - window], least[window - width :])
    new = np.ones(len(least), np.bool_)
    np.not_equal(least[1:], least[:-1], out=new[1:])
    return least[new]


def _window(shingles: int) -> int:
    """Return the window for a text of so many shingles: a sample has 2 / (window + 1) of them."""
    short, long = 2 * shingles // _FEWEST - 1, 2 * shingles // _MOST - 1
    return max(1, min(WINDOW, short), long)


def _hash(data: bytes) -> int:
    """Return a token of *data* without its kind."""
    digest = hashlib.blake2b(data, digest_size=8).digest()
    return int.from_bytes(digest, "little") & _HASH_MASK
