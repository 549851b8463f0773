"""Where an answer of a login leads: redirects, meta refreshes, scripts, forms that submit themselves."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urljoin

from topiccrawl.access import words
from topiccrawl.access.document import Document, squeezed, text_of
from topiccrawl.access.exchange import Ask, Got
from topiccrawl.access.forms import forms_of
from topiccrawl.urls.redirects import REDIRECT_STATUSES

_REFRESH: Final = re.compile(r"^\s*[\d.]*\s*[;,]?\s*(?:url\s*=)?\s*[\"']?([^\"']+)", re.IGNORECASE)
_LOCATION: Final = re.compile(
    r"""(?:location(?:\.href)?\s*=\s*|location\.(?:replace|assign)\(\s*|setTimeout\(\s*["']location(?:\.href)?=\\?)["']?["']([^"'\\]+)""",
)
#: Beginning of a function with a name.
_FUNCTION: Final = re.compile(r"\bfunction\s++\w++\s*+\([^()]*+\)\s*+\{")
_SUBMITS: Final = re.compile(r"\.submit\(\s*\)|\.click\(\s*\)")
#: Visible characters of a page that only leads on (a guess: "登录成功，正在跳转，如果没有跳转请点击这里").
_PASSING_CHARS: Final = 300


def redirect_of(got: Got) -> str | None:
    """Return the target of a redirect, ``None`` if *got* is none."""
    location = got.header("Location")
    if got.status not in REDIRECT_STATUSES or not location:
        return None
    try:
        return urljoin(got.url, location.strip())
    except ValueError:
        return None


def next_address(document: Document) -> str | None:
    """Return where a page leads by a meta refresh or a script; ``None`` for a page to be read."""
    for meta in document.root.iter("meta"):
        if meta.get("http-equiv", "").strip().lower() == "refresh":
            content = meta.get("content", "")
            match = _REFRESH.match(content) if "=" in content or "/" in content else None
            if match is not None:
                target = document.join(match[1].strip())
                return target if target.startswith("http") and target != document.url else None
    if (
        len(document.visible_text) > _PASSING_CHARS
        or next(document.root.iter("form"), None) is not None
    ):
        return None
    match = _LOCATION.search(_without_functions(document.scripts))
    if match is None:
        return None
    target = document.join(match[1])
    return target if target.startswith("http") and target != document.url else None


def _without_functions(script: str) -> str:
    """Return what of *script* runs by itself: functions with a name, up to their first ``}``, wait to be called."""
    kept, at = [], 0
    for found in _FUNCTION.finditer(script):
        if found.start() < at:
            continue
        end = script.find("}", found.end())
        if end < 0:
            break
        kept.append(script[at : found.start()])
        at = end + 1
    return "".join((*kept, script[at:]))


def self_submitting(document: Document, headers: dict[str, str]) -> Ask | None:
    """Return the request of a form that a page submits by itself, ``None`` without one."""
    onload = " ".join(str(body.get("onload", "")) for body in document.root.iter("body"))
    if not (_SUBMITS.search(document.scripts) or _SUBMITS.search(onload)):
        return None
    for form in forms_of(document):
        if form.fields and not any(it.seen for it in form.fields) and form.is_form:
            return form.request(form.values(), headers)
    return None


def login_link(document: Document) -> str | None:
    """Return the address of a page's login: of a frame that contains it, or of a link to it."""
    for frame in document.root.iter("iframe", "frame"):
        source = document.join(frame.get("src", ""))
        if source.startswith("http") and words.LOGIN_FORM.search(source.lower()):
            return source
    for link in document.root.iter("a"):
        target = document.join(link.get("href", ""))
        if target.startswith("http") and words.LOGIN_LINK.fullmatch(squeezed(text_of(link))):
            return target
    return None
