"""From the bytes of a page to its text, when header, meta and bytes may disagree.

Stages: 1. a byte order mark; 2. UTF-16 without mark, by where the zero bytes stand; 3. strict
UTF-8, which other encodings pass only by a rare accident; 4. the declared encoding, if the text
it gives is plausible; 5. a contest of the usual encodings, by plausibility; 6. what
faust-cchardet says, if nothing was plausible; 7. parts in a second encoding (mixed.py).
A declaration is thus believed until the bytes speak against it.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, replace

import cchardet
from w3lib.encoding import html_body_declared_encoding, read_bom

from topiccrawl.page.decoding.encodings import SEVEN_BIT, read, resolve
from topiccrawl.page.decoding.mixed_encodings import repair, split
from topiccrawl.page.decoding.plausibility import evidence

_ACCEPT = 0.7  # mean weight from which a reading is believed at once (a guess; wrong: < 0.6)
_CLEAR = 0.8  # from which an undeclared encoding is believed without looking at others (a guess)
_MIN_CHARACTERS = 8  # with fewer, chance decides: all encodings are compared (a guess)
_CERTAIN_EXTRA_BYTES = 24  # valid UTF-8 sequences of so many trailing bytes are no accident
_SAMPLE_BYTES = 3_000  # of non-ASCII runs: enough for a mean, cheap on a page of megabytes
_GLANCE_CHARACTERS = 1_200  # of a text, evenly spread, for the first look at a declared encoding
_TWO_BYTE = frozenset({"gb18030", "big5hkscs"})
_DETECTOR_BYTES = 20_000
_WIDE_PROBE_BYTES = 4_096
_WIDE_ZEROS = 0.05  # share of zero bytes in the probe from which it may be UTF-16 (markup: 0.3)
_GB18030_MARK = b"\x84\x31\x95\x33"
# What an encoding is worth before looking, in characters of evidence (_PRIOR_STRENGTH of them).
_PRIORS = {"gb18030": 0.5, "utf-8": 0.7, "big5hkscs": 0.45, "cp1252": 0.2}
_DECLARED_PRIOR = 0.9
_PRIOR_STRENGTH = 2.0

# Kana tell little in general, as wrong readings of Big5 have them, but much in Japanese encodings.
_JAPANESE = frozenset({"euc_jp", "cp932"})
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fc]")
_KANA_CREDIT = 0.6

_THREE_BYTES = re.compile(rb"[\xe0-\xef][\x80-\xbf]{2}")
# Runs of non-ASCII bytes with the ASCII bytes that can be second bytes in GBK, Big5, GB18030,
# and one letter before, which tells accented letters from runs.
_RUN = re.compile(rb"[A-Za-z]?(?:[\x80-\xff]+[0-9@-~]?)+")


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text of a page, and how it was found.

    ``encoding`` is a name Python knows. ``source`` says what decided: ``bom``, ``header``,
    ``meta``, ``bytes`` (the text's plausibility), ``detector`` or ``default``.
    """

    text: str
    encoding: str
    source: str


def decode(body: bytes, declared: str | None = None) -> Decoded:
    """Decode a page; ``declared`` is the charset of its HTTP header. Never raises.

    A character cut off at the end of the body is dropped; bytes that mean nothing become U+FFFD.
    U+0000 is left out: HTML ignores it in text, libxml2 stops at it, databases refuse it.
    """
    found = _decode(body, declared)
    return replace(found, text=found.text.replace("\0", "")) if "\0" in found.text else found


def _decode(body: bytes, declared: str | None) -> Decoded:
    if not body:
        return Decoded("", "utf-8", "default")
    header = resolve(declared)
    marked, body = _by_mark(body)
    if marked is not None:
        return marked
    wide = _wide_without_mark(body)
    if wide is not None:
        source = "header" if header is not None and header.startswith("utf-16") else "bytes"
        return Decoded(read(body, wide).removeprefix("\ufeff"), wide, source)
    try:
        text, _ = codecs.utf_8_decode(body, "strict", False)
    except UnicodeDecodeError:
        return _contest(body, header, declared_in_page(body))
    if header == "utf-8":
        return Decoded(text, "utf-8", "header")
    extra = len(body) - len(text)
    if extra >= _CERTAIN_EXTRA_BYTES and _THREE_BYTES.search(body):
        return Decoded(text, "utf-8", "bytes")
    meta = declared_in_page(body)
    if extra == 0:
        return _ascii(body, text, header, meta)
    return _contest(body, header, meta)


def declared_in_page(body: bytes) -> str | None:
    """Encoding named by the page's own meta tag or XML declaration, or None."""
    name = resolve(html_body_declared_encoding(body))
    # A tag that can be read as ASCII cannot stand in a page of two-byte units.
    return "utf-8" if name is not None and name.startswith(("utf-16", "utf-32")) else name


def _by_mark(body: bytes) -> tuple[Decoded | None, bytes]:
    """The text if a byte order mark is there and true, else None; and the body without mark."""
    if body.startswith(_GB18030_MARK):
        return Decoded(read(body[4:], "gb18030"), "gb18030", "bom"), body
    encoding, mark = read_bom(body)
    if encoding is None or mark is None:
        return None, body
    rest = body[len(mark) :]
    if encoding == "utf-8":
        try:
            return Decoded(codecs.utf_8_decode(rest, "strict", False)[0], "utf-8", "bom"), rest
        except UnicodeDecodeError:
            return None, rest  # an editor's mark before text of another encoding, or a few errors
    text = read(rest, encoding)
    bad = text.count("\ufffd") + text.count("\0")
    return (None, body) if bad * 20 > len(text) else (Decoded(text, encoding, "bom"), rest)


def _wide_without_mark(body: bytes) -> str | None:
    """``utf-16-le`` or ``utf-16-be`` if zero bytes stand where their ASCII characters have them."""
    probe = body[:_WIDE_PROBE_BYTES]
    zeros = probe.count(0)
    if zeros < _WIDE_ZEROS * len(probe) or zeros == 0:
        return None
    even, odd = probe[::2].count(0), probe[1::2].count(0)
    if max(even, odd) < 0.95 * zeros:
        return None
    encoding = "utf-16-be" if even > odd else "utf-16-le"
    text = read(probe, encoding)
    ascii_share = sum(map(text.count, ' <>/\n="ae0'))
    total, count = evidence(text)
    return encoding if ascii_share and total > -0.2 * max(count, 1) else None


def _ascii(body: bytes, text: str, header: str | None, meta: str | None) -> Decoded:
    """A body without non-ASCII bytes: the declaration counts (for URLs, and 7-bit encodings)."""
    name, source = (header, "header") if header else (meta, "meta")
    if name is None or name.startswith(("utf-16", "utf-32")):
        return Decoded(text, "utf-8", "default")
    return Decoded(read(body, name) if name in SEVEN_BIT else text, name, source)


def _sample(body: bytes) -> bytes:
    """Runs of non-ASCII bytes from all over the body, at most about ``_SAMPLE_BYTES``."""
    runs = _RUN.findall(body)
    size = sum(map(len, runs))
    if size > _SAMPLE_BYTES:
        step = size // _SAMPLE_BYTES + 1
        runs = [run[:_SAMPLE_BYTES] for run in runs[::step]]
    return b" ".join(runs)[: 4 * _SAMPLE_BYTES]


def _contest(body: bytes, header: str | None, meta: str | None) -> Decoded:
    """The most plausible of the declared and the usual encodings."""
    declared = [name for name in (header, meta) if name is not None and name not in SEVEN_BIT]
    for name in declared:
        if name in _TWO_BYTE:
            text = read(body, name)
            total, count = evidence(text[:: len(text) // _GLANCE_CHARACTERS + 1])
            if count >= 4 * _MIN_CHARACTERS and total >= _ACCEPT * count:
                return _result(body, text, name, header, meta, "bytes")
    sample = _sample(body)
    for name in declared:
        total, count = evidence(read(sample, name))
        if count >= _MIN_CHARACTERS and total >= _ACCEPT * count:
            return _result(body, read(body, name), name, header, meta, "bytes")
    mixed = _mixed(body, declared)
    if mixed is not None:
        base, legacy = mixed
        return _result(body, read(body, base), base, header, meta, "bytes", legacy)
    best, best_score, source = "utf-8", float("-inf"), "bytes"
    for name in dict.fromkeys([*declared, *_PRIORS]):
        score = _score(sample, name, name in declared)
        if score > best_score:
            best, best_score = name, score
        if score >= _CLEAR and len(sample) >= 8 * _MIN_CHARACTERS:
            break
    if best_score < _ACCEPT:
        guess, score = _ask_detector(body, sample)
        if guess is not None and score > best_score:
            best, source = guess, "detector"
    return _result(body, read(body, best), best, header, meta, source)


def _mixed(body: bytes, declared: list[str]) -> tuple[str, str] | None:
    """Base and legacy encoding of a page that is plainly put together of UTF-8 and another one.

    The base is the declared one of the two, else the one with more bytes.
    """
    good, bad = split(body, _SAMPLE_BYTES)
    if not good or not bad:
        return None
    total, count = evidence(read(good, "utf-8"))
    if total < _ACCEPT * count:
        return None
    best, best_score = "", _ACCEPT
    for name in ("gb18030", "big5hkscs"):
        total, count = evidence(read(bad, name))
        if count >= _MIN_CHARACTERS and total > best_score * count:
            best, best_score = name, total / count
    if not best:
        return None
    stated = next((name for name in declared if name in {best, "utf-8"}), None)
    return stated or (best if len(bad) > len(good) else "utf-8"), best


def _score(sample: bytes, name: str, declared: bool) -> float:
    """Plausibility of one reading, drawn to its prior while there is little text."""
    text = read(sample, name)
    total, count = evidence(text)
    if name in _JAPANESE:
        total += _KANA_CREDIT * len(_KANA.findall(text))
    prior = _DECLARED_PRIOR if declared else _PRIORS.get(name, 0.0)
    return (total + prior * _PRIOR_STRENGTH) / (count + _PRIOR_STRENGTH)


def _ask_detector(body: bytes, sample: bytes) -> tuple[str | None, float]:
    """faust-cchardet's answer, or UTF-16 without a single ASCII character; with its score."""
    best: str | None = None
    best_score = float("-inf")
    guess = resolve(cchardet.detect(body[:_DETECTOR_BYTES]).get("encoding"))
    if guess is not None and not guess.startswith(("utf-16", "utf-32")):
        best, best_score = guess, _score(sample, guess, declared=True)
    for wide in ("utf-16-le", "utf-16-be"):
        total, count = evidence(read(body[:_SAMPLE_BYTES], wide))
        score = total / (count + _PRIOR_STRENGTH)
        if score > max(best_score, _ACCEPT):
            best, best_score = wide, score
    return best, best_score


def _result(
    body: bytes,
    text: str,
    name: str,
    header: str | None,
    meta: str | None,
    source: str,
    legacy: str | None = None,
) -> Decoded:
    legacy = legacy or next((n for n in (header, meta) if n in _TWO_BYTE), None)
    text = repair(body, text, name, legacy)
    if name == header:
        source = "header"
    elif name == meta:
        source = "meta"
    return Decoded(text.removeprefix("\ufeff"), name, source)
