"""The scope of a crawl: patterns of the URLs that it keeps to, and of those that it leaves out.

A pattern is a host with its subdomains, a host and the beginning of a path, or a path on any host;
``*`` stands for any characters.  docs/urls.md has the rules with examples.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import quote

from topiccrawl import details
from topiccrawl.errors import shown
from topiccrawl.language import _
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.hosts import host_of
from topiccrawl.urls.rules import url_rules

#: Beginning of a pattern that is a regular expression.
_REGEX = "re:"
_SCHEME = re.compile(r"(https?)://", re.IGNORECASE)
_OTHER_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|(?:mailto|javascript|data|file):")
_HOST_LABEL = re.compile(r"[A-Za-z0-9_*-]+")
_DEFAULT_PORTS = (":80", ":443")
_IPV6 = re.compile(r"\[[0-9A-Fa-f:.]+\]")
#: Characters of a path that are not escaped, those of escapes included.
_PATH_SAFE = "%/:@!$&'()*+,;=?~#[]"
_COMMAS = re.compile("[,，、]")


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Why a URL is outside the scope."""

    rule: Literal["allow", "deny"]
    pattern: str
    """The pattern that denies it; empty if no pattern allows it."""

    def __str__(self) -> str:
        """Return the reason as the end of a sentence about a URL.

        >>> str(Exclusion("deny", "w3.org")), str(Exclusion("allow", ""))
        ('is excluded by deny=w3.org', 'matches no pattern of allow')
        """
        if self.rule == "deny":
            return details.DENIED(pattern=self.pattern)
        return details.NOT_ALLOWED()


@dataclass(frozen=True)
class Scope:
    """Which URLs a crawl may fetch: those that match *allow*, if it is given, and not *deny*.

    Without patterns in *allow*, all URLs are allowed; *deny* outweighs it. Raises ``ValueError`` if a pattern
    is wrong; the message names it.
    """

    allow: Sequence[str] = ()
    deny: Sequence[str] = ()
    _allow: tuple[re.Pattern[str], ...] = field(init=False, repr=False, compare=False)
    _deny: tuple[re.Pattern[str], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_allow", tuple(map(compile_pattern, self.allow)))
        object.__setattr__(self, "_deny", tuple(map(compile_pattern, self.deny)))

    def __bool__(self) -> bool:
        """Whether there is any pattern."""
        return bool(self._allow or self._deny)

    def exclusion(self, url: str) -> Exclusion | None:
        """Return why *url* is outside the scope, ``None`` if it may be fetched."""
        if not self:
            return None
        target = _target(url)
        for pattern, compiled in zip(self.deny, self._deny, strict=True):
            if compiled.search(target):
                return Exclusion("deny", pattern)
        if self._allow and not any(compiled.search(target) for compiled in self._allow):
            return Exclusion("allow", "")
        return None


def compile_pattern(pattern: str) -> re.Pattern[str]:
    """Return the regular expression for *pattern*, to be searched in ``host[:port]/path?query``.

    Raises ``ValueError`` if the pattern is wrong; the message names it.
    """
    try:
        with warnings.catch_warnings():
            # "Possible nested set": it means now what the user expects of it.
            warnings.simplefilter("ignore", FutureWarning)
            return re.compile(_expression(pattern.strip()))
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(
            _("{pattern} is no regular expression: {error}").format(
                pattern=shown(pattern), error=error
            )
        ) from None


def split_patterns(text: str) -> tuple[str, ...]:
    """Return the patterns in *text*, separated by commas or white space.

    A comma in a regular expression belongs to it.

    >>> split_patterns("a.cn, b.cn/x  re:[0-9]{4,6}")
    ('a.cn', 'b.cn/x', 're:[0-9]{4,6}')
    """
    found: list[str] = []
    for word in text.split():
        head, mark, regex = word.partition(_REGEX)
        if mark and (not head or _COMMAS.fullmatch(head[-1])):
            found += [*_COMMAS.split(head), mark + regex]
        else:
            found += _COMMAS.split(word)
    return tuple(pattern for pattern in found if pattern)


def check_patterns(text: str) -> None:
    """Raise ``ValueError`` for the first wrong pattern in *text*."""
    for pattern in split_patterns(text):
        compile_pattern(pattern)


def checked_patterns(
    patterns: Iterable[str], fail: Callable[[int, str], object]
) -> tuple[str, ...]:
    """Return *patterns*; call *fail* with the position and the message of each that is wrong."""
    kept = tuple(patterns)
    for position, pattern in enumerate(kept):
        try:
            compile_pattern(pattern)
        except ValueError as error:
            fail(position, str(error))
    return kept


def _expression(pattern: str) -> str:
    if pattern.startswith(_REGEX):
        if not pattern.removeprefix(_REGEX):
            raise ValueError(
                _("{pattern} has no regular expression after re:").format(pattern=shown(pattern))
            )
        return pattern.removeprefix(_REGEX)
    text = _SCHEME.sub("", pattern, count=1)
    if not text or text.strip("*") in ("", "/"):
        raise ValueError(
            _("{pattern} must contain a host or a path").format(pattern=shown(pattern))
        )
    if _OTHER_SCHEME.match(text):
        raise ValueError(
            _("{pattern} has a scheme other than http and https").format(pattern=shown(pattern))
        )
    if "#" in text:
        raise ValueError(
            _("{pattern} has a fragment (#…), which is no part of what is fetched").format(
                pattern=shown(pattern)
            )
        )
    if any(c.isspace() or not c.isprintable() for c in text):
        raise ValueError(
            _("{pattern} contains a blank or a control character").format(pattern=shown(pattern))
        )
    end = re.search("[/?]", text)
    cut = len(text) if end is None else end.start()
    return f"^{_host(text[:cut], pattern)}{_path(text[cut:])}"


def _host(text: str, pattern: str) -> str:
    """Return the expression for a host: any subdomain of it, any port unless one is given."""
    if not text:
        return "[^/]*"
    name, colon, port = text.rpartition(":") if not text.endswith("]") else (text, "", "")
    if not colon:
        name, port = text, ""
    elif not (port.isascii() and port.isdigit() and 0 < int(port[:6]) < 65_536):
        raise ValueError(
            _("{pattern} has the port {port}, which is no number in 1 … 65535").format(
                pattern=shown(pattern), port=shown(port)
            )
        )
    ports = f":{int(port)}" if port else r"(?::\d+)?"
    if ports in _DEFAULT_PORTS:  # canonical URLs do not have them
        ports = f"(?:{ports})?"
    if _IPV6.fullmatch(name):
        return re.escape(name.lower()) + ports
    name = name.strip(".")
    labels = [_label(label, pattern) for label in name.split(".")]
    below = "" if "*" in name else r"(?:[^/:]*\.)?"
    return below + r"\.".join(labels) + ports


def _label(label: str, pattern: str) -> str:
    if not label.isascii() and "*" not in label:
        label = host_of(canonical_url(f"http://{label}.cn/")).removesuffix(".cn")
    if not _HOST_LABEL.fullmatch(label):
        raise ValueError(
            _("{pattern} has the host name part {label}, which no host has").format(
                pattern=shown(pattern), label=shown(label)
            )
        )
    return re.escape(label.lower()).replace(r"\*", "[^/:]*")


def _path(text: str) -> str:
    """Return the expression for the beginning of path and query; a final ``$`` is its end."""
    if not text:
        return "(?=[/?]|$)"
    whole = text.endswith("$")
    escaped = quote(text.removesuffix("$"), safe=_PATH_SAFE)
    escaped = re.sub("%[0-9A-Fa-f]{2}", lambda found: found[0].upper(), escaped)
    if escaped.startswith("?"):
        escaped = "/" + escaped
    folder, slash, name = escaped.rpartition("/")
    end = "$" if whole else ""
    if name in url_rules().of("").index:  # Without a query, a canonical URL has its folder instead.
        escaped, end = folder + slash, f"(?:{re.escape(name)}{end}|$)"
    return re.escape(escaped).replace(r"\*", ".*") + end


def _target(url: str) -> str:
    """Return what patterns are compared with: the canonical URL without its scheme."""
    return canonical_url(url).partition("://")[2]
