"""Forms of a document: their fields with what describes them, and the request that they send."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final
from urllib.parse import quote_plus, urlsplit, urlunsplit

from lxml import etree

from topiccrawl.access import words
from topiccrawl.access.document import Document, squeezed, text_of
from topiccrawl.access.exchange import Ask
from topiccrawl.page.decoding.encodings import encoding_of_label

#: Types of inputs that are buttons.
_BUTTONS: Final = frozenset({"submit", "image", "button", "reset"})
#: Attributes that describe a field.
_DESCRIBING: Final = ("name", "id", "placeholder", "aria-label", "title", "data-placeholder", "alt")
#: Characters of the text before a field that may be its label (a guess: 登录名/邮箱/手机号 has ten).
_LABEL_CHARS: Final = 40
#: Characters of the text before a field that are read: enough for a label and spaces.
_MOST_READ: Final = 1_000
#: Fields and buttons of a document that are read (a guess: administration pages have some hundred).
_MOST_CONTROLS: Final = 500
_CONTROLS: Final = ("input", "select", "textarea", "button")
#: Elements whose text describes something else than the field after it.
_OTHER_TEXT: Final = ("script", "style", "option", "button", "a")


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a form."""

    name: str
    type: str
    value: str
    seen: bool
    """Whether a person sees it."""
    about: str
    """Name, id, placeholder and label, in lower case."""
    autocomplete: str = ""
    checked: bool = False
    required: bool = False
    id: str = ""

    @property
    def is_text(self) -> bool:
        """Whether a person types into it, and reads what was typed."""
        return self.type in ("text", "email", "tel", "number", "search", "url")


@dataclass(frozen=True)
class Form:
    """A form; *element* is the element itself, or the document for fields outside of any form."""

    element: Any
    action: str
    method: str
    enctype: str
    encoding: str
    about: str
    """Id, class, name, action and buttons, in lower case."""
    fields: Sequence[Field] = field(default_factory=tuple)
    button: tuple[str, str] | None = None
    """Name and value of the button that sends it."""
    is_form: bool = True

    @property
    def passwords(self) -> list[Field]:
        """The fields for passwords that a person sees."""
        return [it for it in self.fields if it.type == "password" and it.seen]

    def values(self) -> list[tuple[str, str]]:
        """Return what the form sends when a person changes nothing."""
        sent = [
            (it.name, it.value)
            for it in self.fields
            if it.name and it.type != "file"
            if it.type not in ("checkbox", "radio") or it.checked
        ]
        if self.button is not None and self.button[0]:
            sent.append(self.button)
        return sent

    def request(self, values: Iterable[tuple[str, str]], headers: dict[str, str]) -> Ask:
        """Return the request that sends *values*, encoded as a browser does."""
        if self.method == "GET":
            parts = urlsplit(self.action)
            url = urlunsplit(parts._replace(query=self._urlencoded(values), fragment=""))
            return Ask(url, "GET", headers)
        if self.enctype == "multipart/form-data":
            border = f"----formdata{os.urandom(12).hex()}"
            headers = {**headers, "Content-Type": f"multipart/form-data; boundary={border}"}
            return Ask(self.action, "POST", headers, self._multipart(values, border))
        headers = {**headers, "Content-Type": "application/x-www-form-urlencoded"}
        return Ask(self.action, "POST", headers, self._urlencoded(values).encode("ascii"))

    def _urlencoded(self, values: Iterable[tuple[str, str]]) -> str:
        return "&".join(
            f"{quote_plus(self._bytes(name))}={quote_plus(self._bytes(value))}"
            for name, value in values
        )

    def _multipart(self, values: Iterable[tuple[str, str]], border: str) -> bytes:
        parts = b""
        for name, value in values:
            quoted = self._bytes(name).replace(b'"', b"%22").replace(b"\r\n", b"%0D%0A")
            parts += b'--%b\r\nContent-Disposition: form-data; name="%b"\r\n\r\n%b\r\n' % (
                border.encode(),
                quoted,
                self._bytes(value),
            )
        return parts + f"--{border}--\r\n".encode()

    def _bytes(self, text: str) -> bytes:
        return text.encode(self.encoding, "xmlcharrefreplace")


def forms_of(document: Document) -> list[Form]:
    """Return the forms of a document; fields outside of any form are one more, at the end.

    Takes time linear in the length of the document: every page of a site with a login is looked at.
    """
    root = document.root
    around = _Surroundings(root)
    by_form: dict[Any, list[Any]] = {form: [] for form in root.iter("form")}
    by_id = {it.get("id"): it for it in reversed(by_form) if it.get("id")}
    loose: list[Any] = []
    for control in around.controls:
        own, inside = control.get("form"), next(control.iterancestors("form"), None)
        owners = [it for it in (inside, by_id.get(own) if own else None) if it is not None]
        for owner in dict.fromkeys(owners):
            by_form[owner].append(control)
        if inside is None and not own:
            loose.append(control)
    forms = [_form(document, it, controls, around) for it, controls in by_form.items() if controls]
    if any(it.get("type", "").lower() == "password" for it in loose):
        found = (_field(document, each, root, around) for each in loose)
        fields = [it for it in found if it is not None]
        about = " ".join(it.about for it in fields)
        forms.append(Form(root, "", "POST", "", document.encoding, about, fields, is_form=False))
    return forms


class _Surroundings:
    """The first fields and buttons of a document, the labels of fields, and the texts before them."""

    def __init__(self, root: Any) -> None:
        self.controls = list(islice(root.iter(*_CONTROLS), _MOST_CONTROLS))
        self._labels: dict[str, str] = {}
        self._before: dict[Any, str] = {}
        if self.controls:
            self._read(root)

    def _read(self, root: Any) -> None:
        wanted, before, last = frozenset(self.controls), "", self.controls[-1]
        waiting = True
        for event, node in etree.iterwalk(root, events=("start", "end")):
            text = node.text if event == "start" else node.tail
            if event == "start":
                if waiting and node in wanted:
                    self._before[node] = before
                    waiting = node is not last
                elif node.tag == "label" and (of := node.get("for")) and of not in self._labels:
                    self._labels[of] = squeezed(text_of(node))[:_LABEL_CHARS]
            if text and text.strip(" \t\r\n"):
                before = "" if node.tag in _OTHER_TEXT else squeezed(text[-_MOST_READ:])

    def label(self, element: Any) -> str:
        """Return the text of a field's label; without one, the text before it."""
        own = element.get("id")
        if own in self._labels:
            return self._labels[own]
        label = next(element.iterancestors("label"), None)
        if label is not None:
            return squeezed(text_of(label))[:_LABEL_CHARS]
        return self._before[element][-_LABEL_CHARS:]


def _form(document: Document, element: Any, controls: list[Any], around: _Surroundings) -> Form:
    found = (_field(document, each, element, around) for each in controls)
    fields = [it for it in found if it is not None]
    buttons = [it for it in controls if _is_submit(it)]
    first = _pressed(controls, buttons)
    action = element.get("action", "").strip() or document.url
    method, enctype = element.get("method", "get"), element.get("enctype", "")
    if first is not None:
        action = first.get("formaction") or action
        method = first.get("formmethod") or method
        enctype = first.get("formenctype") or enctype
    texts = [squeezed(text_of(it)) + it.get("value", "") for it in buttons]
    named = [element.get(name, "") for name in ("id", "class", "name", "action")]
    charset = element.get("accept-charset", "").replace(",", " ").split()
    encoding = encoding_of_label(charset[0]) if charset else None
    return Form(
        element,
        document.join(action).partition("#")[0],
        "POST" if method.strip().upper() == "POST" else "GET",
        enctype.strip().lower(),
        encoding or document.encoding,
        squeezed(" ".join([*named, *texts])).lower(),
        fields,
        _button(first),
    )


def _pressed(controls: list[Any], buttons: list[Any]) -> Any:
    """Return the button that sends a login: the next one after the password.

    Forms without a password are sent by their first button, which is also what the Enter key presses
    (HTML, 4.10.21.2).
    """
    kinds = [it.get("type", "").lower() for it in controls]
    if "password" not in kinds:
        return buttons[0] if buttons else None
    after = [it for it in controls[kinds.index("password") :] if it in buttons] or buttons
    named = [it for it in after if words.LOGIN_FORM.search(_caption(it).lower())]
    return next(iter([*named, *after]), None)


def _caption(button: Any) -> str:
    texts = [text_of(button), button.get("value", ""), button.get("name", "")]
    return squeezed(" ".join(texts))


def _is_submit(element: Any) -> bool:
    kind = element.get("type", "").lower()
    if element.tag == "button":
        return kind in ("", "submit")
    return element.tag == "input" and kind in ("submit", "image")


def _button(element: Any) -> tuple[str, str] | None:
    if element is None or not element.get("name"):
        return None
    name = element.get("name", "")
    if element.get("type", "").lower() == "image":
        return f"{name}.x", "1"
    return name, element.get("value", "")


def _field(document: Document, element: Any, within: Any, around: _Surroundings) -> Field | None:
    kind = element.get("type", "text").strip().lower() or "text"
    if element.tag == "button" or (element.tag == "input" and kind in _BUTTONS):
        return None
    if element.get("disabled") is not None:
        return None
    value, checked = element.get("value", ""), element.get("checked") is not None
    if element.tag == "select":
        kind, value = "select", _selected(element)
    elif element.tag == "textarea":
        kind, value = "textarea", element.text or ""
    elif kind in ("checkbox", "radio") and element.get("value") is None:
        value = "on"
    elif kind in ("datetime", "password", "hidden", "checkbox", "radio", "file"):
        pass
    elif kind not in ("email", "tel", "number", "search", "url", "date"):
        kind = "text"
    autocomplete = element.get("autocomplete", "").strip().lower()
    described = [element.get(name, "") for name in _DESCRIBING]
    return Field(
        element.get("name", ""),
        kind,
        value,
        kind != "hidden" and document.is_seen(element, within),
        squeezed(" ".join([*described, around.label(element)])).lower(),
        autocomplete,
        checked,
        element.get("required") is not None,
        element.get("id", ""),
    )


def _selected(element: Any) -> str:
    options = list(element.iter("option"))
    chosen = next((it for it in options if it.get("selected") is not None), None)
    if chosen is None:
        chosen = options[0] if options else None
    if chosen is None:
        return ""
    value = chosen.get("value")
    return squeezed(text_of(chosen)) if value is None else value
