"""Detect the encoding of a page and decode it, when header, meta tag and bytes may disagree.

1. A byte order mark.
2. UTF-16 without a mark, by the positions of its zero bytes.
3. Strict UTF-8, which text in other encodings passes only by rare accident.
4. The declared encoding, if the resulting text is plausible.
5. The most plausible of the usual encodings.
6. The result of faust-cchardet, if no encoding was plausible.
7. Pieces in a second encoding (:mod:`topiccrawl.page.decoding.mixed_encodings`).

A declaration is trusted unless the bytes contradict it.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, replace

import cchardet
from w3lib.encoding import html_body_declared_encoding, read_bom

from topiccrawl.page.decoding.encodings import SEVEN_BIT, decode_as, encoding_of_label
from topiccrawl.page.decoding.mixed_encodings import THREE_BYTES, repair_mixed, split_utf8
from topiccrawl.page.decoding.plausibility import weigh_characters

# Plausibility from which a declared encoding is accepted (a guess; wrong encodings: under 0.6).
_ACCEPT = 0.7
# Plausibility from which an undeclared encoding is accepted without trying others (a guess).
_CLEAR = 0.8
# With fewer non-ASCII characters chance decides, so all encodings are compared (a guess).
_MIN_CHARACTERS = 8
# Valid UTF-8 with so many trailing bytes is no accident.
_CERTAIN_EXTRA_BYTES = 24
# Size of a sample of non-ASCII runs: enough for a mean, cheap on a page of megabytes.
_SAMPLE_BYTES = 3_000
# Evenly spaced characters of a text for the first check of a declared encoding.
_GLANCE_CHARACTERS = 1_200
_TWO_BYTE = frozenset({"gb18030", "big5hkscs"})
_DETECTOR_BYTES = 20_000
_WIDE_PROBE_BYTES = 4_096
# Share of zero bytes in the probe from which it may be UTF-16 (markup in UTF-16 has 0.3).
_WIDE_ZEROS = 0.05
_GB18030_MARK = b"\x84\x31\x95\x33"
# Prior plausibility of each encoding, weighted as _PRIOR_STRENGTH characters.
_PRIORS = {"gb18030": 0.5, "utf-8": 0.7, "big5hkscs": 0.45, "cp1252": 0.2}
_DECLARED_PRIOR = 0.9
_PRIOR_STRENGTH = 2.0

# Kana are weak evidence in general, as wrongly decoded Big5 has them, but strong evidence for
# Japanese encodings.
_JAPANESE = frozenset({"euc_jp", "cp932"})
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fc]")
_KANA_CREDIT = 0.6

# Runs of non-ASCII bytes with the ASCII bytes that can be second bytes in GBK, Big5 and GB18030,
# and one preceding letter, which separates accented letters from runs.
_RUN = re.compile(rb"[A-Za-z]?(?:[\x80-\xff]+[0-9@-~]?)+")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A decoded page."""

    text: str
    encoding: str
    """Name of a Python codec."""
    source: str
    """What determined the encoding: ``bom``, ``header``, ``meta``, ``bytes`` (plausibility of the
    text), ``detector`` or ``default``."""


def decode(body: bytes, declared: str | None = None) -> Decoded:
    """Decode the bytes of a page. Never raises.

    Parameters
    ----------
    body : bytes
        The page, possibly cut off within a character.
    declared : str, optional
        Charset of the Content-Type header.

    Returns
    -------
    Decoded
        Text, encoding and what determined it. A character cut off at the end is dropped, undecodable
        bytes become U+FFFD. U+0000 is removed: HTML ignores it in text, libxml2 stops at it,
        databases reject it.
    """
    found = _decode(body, declared)
    return replace(found, text=found.text.replace("\0", "")) if "\0" in found.text else found


def _decode(body: bytes, declared: str | None) -> Decoded:
    if not body:
        return Decoded("", "utf-8", "default")
    header = encoding_of_label(declared)
    marked, body = _decode_by_mark(body)
    if marked is not None:
        return marked
    wide = _wide_without_mark(body)
    if wide is not None:
        source = "header" if header is not None and header.startswith("utf-16") else "bytes"
        return Decoded(decode_as(body, wide).removeprefix("\ufeff"), wide, source)
    try:
        text, _ = codecs.utf_8_decode(body, "strict", False)
    except UnicodeDecodeError:
        return _most_plausible(body, header, declared_in_page(body))
    if header == "utf-8":
        return Decoded(text, "utf-8", "header")
    extra = len(body) - len(text)
    if extra >= _CERTAIN_EXTRA_BYTES and THREE_BYTES.search(body):
        return Decoded(text, "utf-8", "bytes")
    meta = declared_in_page(body)
    if extra == 0:
        return _ascii(body, text, header, meta)
    return _most_plausible(body, header, meta)


def declared_in_page(body: bytes) -> str | None:
    """Return the encoding that a page's meta tag or XML declaration names, or None."""
    name = encoding_of_label(html_body_declared_encoding(body))
    # A tag that is readable as ASCII cannot be in a page of two-byte units.
    return "utf-8" if name is not None and name.startswith(("utf-16", "utf-32")) else name


def _decode_by_mark(body: bytes) -> tuple[Decoded | None, bytes]:
    """Return the text if there is a true byte order mark, else None; and the body without the mark."""
    if body.startswith(_GB18030_MARK):
        return Decoded(decode_as(body[4:], "gb18030"), "gb18030", "bom"), body
    encoding, mark = read_bom(body)
    if encoding is None or mark is None:
        return None, body
    rest = body[len(mark) :]
    if encoding == "utf-8":
        try:
            return Decoded(codecs.utf_8_decode(rest, "strict", False)[0], "utf-8", "bom"), rest
        except UnicodeDecodeError:
            return None, rest  # a mark before text in another encoding, or a few bad bytes
    text = decode_as(rest, encoding)
    bad = text.count("\ufffd") + text.count("\0")
    return (None, body) if bad * 20 > len(text) else (Decoded(text, encoding, "bom"), rest)


def _wide_without_mark(body: bytes) -> str | None:
    """Return ``utf-16-le`` or ``utf-16-be`` if the zero bytes are those of their ASCII characters."""
    probe = body[:_WIDE_PROBE_BYTES]
    zeros = probe.count(0)
    if zeros < _WIDE_ZEROS * len(probe) or zeros == 0:
        return None
    even, odd = probe[::2].count(0), probe[1::2].count(0)
    if max(even, odd) < 0.95 * zeros:
        return None
    encoding = "utf-16-be" if even > odd else "utf-16-le"
    text = decode_as(probe, encoding)
    ascii_share = sum(map(text.count, ' <>/\n="ae0'))
    total, count = weigh_characters(text)
    return encoding if ascii_share and total > -0.2 * max(count, 1) else None


def _ascii(body: bytes, text: str, header: str | None, meta: str | None) -> Decoded:
    """Decode an ASCII body: its declaration matters for URLs and for 7-bit encodings."""
    name, source = (header, "header") if header else (meta, "meta")
    if name is None or name.startswith(("utf-16", "utf-32")):
        return Decoded(text, "utf-8", "default")
    return Decoded(decode_as(body, name) if name in SEVEN_BIT else text, name, source)


def _sample(body: bytes) -> bytes:
    """Return runs of non-ASCII bytes from the whole body, at most about ``_SAMPLE_BYTES``."""
    runs = _RUN.findall(body)
    size = sum(map(len, runs))
    if size > _SAMPLE_BYTES:
        step = size // _SAMPLE_BYTES + 1
        runs = [run[:_SAMPLE_BYTES] for run in runs[::step]]
    return b" ".join(runs)[: 4 * _SAMPLE_BYTES]


def _most_plausible(body: bytes, header: str | None, meta: str | None) -> Decoded:
    """Decode in the most plausible of the declared and the usual encodings."""
    declared = [name for name in (header, meta) if name is not None and name not in SEVEN_BIT]
    for name in declared:
        if name in _TWO_BYTE:
            text = decode_as(body, name)
            total, count = weigh_characters(text[:: len(text) // _GLANCE_CHARACTERS + 1])
            if count >= 4 * _MIN_CHARACTERS and total >= _ACCEPT * count:
                return _result(body, text, name, header, meta, "bytes")
    sample = _sample(body)
    for name in declared:
        total, count = weigh_characters(decode_as(sample, name))
        if count >= _MIN_CHARACTERS and total >= _ACCEPT * count:
            return _result(body, decode_as(body, name), name, header, meta, "bytes")
    mixed = _mixed(body, declared)
    if mixed is not None:
        main, legacy = mixed
        return _result(body, decode_as(body, main), main, header, meta, "bytes", legacy)
    best, best_score, source = "utf-8", float("-inf"), "bytes"
    for name in dict.fromkeys([*declared, *_PRIORS]):
        score = _score(sample, name, name in declared)
        if score > best_score:
            best, best_score = name, score
        if score >= _CLEAR and len(sample) >= 8 * _MIN_CHARACTERS:
            break
    if best_score < _ACCEPT:
        guess, score = _detect(body, sample)
        if guess is not None and score > best_score:
            best, source = guess, "detector"
    return _result(body, decode_as(body, best), best, header, meta, source)


def _mixed(body: bytes, declared: list[str]) -> tuple[str, str] | None:
    """Return main and legacy encoding of a page that clearly mixes UTF-8 and a legacy encoding.

    The main encoding is the declared one of the two, else the one with more bytes.
    """
    utf8, other = split_utf8(body, _SAMPLE_BYTES)
    if not utf8 or not other:
        return None
    total, count = weigh_characters(decode_as(utf8, "utf-8"))
    if total < _ACCEPT * count:
        return None
    best, best_score = "", _ACCEPT
    for name in ("gb18030", "big5hkscs"):
        total, count = weigh_characters(decode_as(other, name))
        if count >= _MIN_CHARACTERS and total > best_score * count:
            best, best_score = name, total / count
    if not best:
        return None
    stated = next((name for name in declared if name in {best, "utf-8"}), None)
    return stated or (best if len(other) > len(utf8) else "utf-8"), best


def _score(sample: bytes, name: str, declared: bool) -> float:
    """Return the plausibility of a sample in one encoding, drawn to its prior if the sample is small."""
    text = decode_as(sample, name)
    total, count = weigh_characters(text)
    if name in _JAPANESE:
        total += _KANA_CREDIT * len(_KANA.findall(text))
    prior = _DECLARED_PRIOR if declared else _PRIORS.get(name, 0.0)
    return (total + prior * _PRIOR_STRENGTH) / (count + _PRIOR_STRENGTH)


def _detect(body: bytes, sample: bytes) -> tuple[str | None, float]:
    """Return the encoding by faust-cchardet, or UTF-16 without any ASCII character; and its score."""
    best: str | None = None
    best_score = float("-inf")
    guess = encoding_of_label(cchardet.detect(body[:_DETECTOR_BYTES]).get("encoding"))
    if guess is not None and not guess.startswith(("utf-16", "utf-32")):
        best, best_score = guess, _score(sample, guess, declared=True)
    for wide in ("utf-16-le", "utf-16-be"):
        total, count = weigh_characters(decode_as(body[:_SAMPLE_BYTES], wide))
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
    text = repair_mixed(body, text, name, legacy)
    if name == header:
        source = "header"
    elif name == meta:
        source = "meta"
    return Decoded(text.removeprefix("\ufeff"), name, source)
