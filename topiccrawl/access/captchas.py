"""Recognize what only a person should answer on a login page: captchas and one-time codes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from topiccrawl.access import words

if TYPE_CHECKING:
    from collections.abc import Collection

    from topiccrawl.access.document import Document
    from topiccrawl.access.finding import LoginForm


def asks_person(document: Document, found: LoginForm, given: Collection[str] = ()) -> str | None:
    """Return what of a login form only a person should answer, ``None`` if there is nothing.

    *given* are the names of fields whose values the user has given.
    """
    form = found.form
    for it in form.fields:
        if it in (found.user, found.password) or it.name in given:
            continue
        shown = it.seen and it.type not in ("checkbox", "radio", "select")
        if shown and words.ONE_TIME.search(f"{it.about} {it.autocomplete}"):
            return it.name or it.about
        if words.CAPTCHA.search(it.about) and (shown or "response" in it.name.lower()):
            return it.name or it.about
    unexplained = [
        it
        for it in form.fields
        if it.is_text and it.seen and it not in (found.user, found.password)
        if it.name not in given and not it.value
    ]
    picture = _picture(document, form.element)
    if picture and unexplained:
        return unexplained[-1].name or picture
    if (widget := _widget(document, form.element)) is not None:
        return widget
    return None


def _picture(document: Document, within: Any) -> str:
    for image in within.iter("img", "canvas"):
        description = " ".join(
            image.get(name, "") for name in ("src", "id", "class", "alt", "title")
        )
        around = image.getparent()
        description += " " + (around.get("onclick", "") if around is not None else "")
        description += " " + image.get("onclick", "")
        if words.CAPTCHA_PICTURE.search(description.lower()) and document.is_seen(image, within):
            return image.get("id") or image.get("src", "")[:80] or "img"
    return ""


def _widget(document: Document, within: Any) -> str | None:
    """Return the class or id of a captcha to solve or slide, in the form or next to it."""
    around = within
    for _step in range(2):
        parent = around.getparent()
        if parent is None or parent.tag in ("body", "html"):
            break
        around = parent
    for element in around.iter():
        if not isinstance(element.tag, str) or element.tag in ("script", "style", "link", "form"):
            continue
        description = " ".join(
            element.get(name, "") for name in ("class", "id", "src", "name")
        ).lower()
        solved = element.get("data-sitekey") is not None and element.get("data-size") != "invisible"
        if (solved or words.CAPTCHA_WIDGET.search(description)) and document.is_seen(
            element, around
        ):
            return element.get("class") or element.get("id") or element.tag
        text = element.text or ""
        if words.CAPTCHA_TEXT.search(text) and document.is_seen(element, around):
            return text.strip()[:40]
    return None
