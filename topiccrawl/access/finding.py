"""Find the form of a login page, and in it the fields for the user's name and the password."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from topiccrawl.access import words
from topiccrawl.access.forms import Field, Form, forms_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topiccrawl.access.document import Document
    from topiccrawl.access.login import Login

#: Values of ``autocomplete`` of the field for a user's name (HTML, 4.10.18.7.1).
_USER_AUTOCOMPLETE: Final = ("username", "email", "tel", "webauthn")
#: Fields that a message lists, at most.
_LISTED: Final = 12


@dataclass(frozen=True, slots=True)
class LoginForm:
    """A form for a login; a form of two steps has one of the fields."""

    form: Form
    user: Field | None
    password: Field | None


def find_login_form(document: Document, login: Login | None = None) -> LoginForm | None:
    """Return the form of *document* that most likely logs in, ``None`` if there is none.

    What *login* names (the form, its fields) counts before what the names of fields suggest.
    """
    forms = forms_of(document)
    if login is not None and login.form:
        forms = _selected(document, login.form, forms)
    rated: list[tuple[float, int, LoginForm]] = []
    for position, form in enumerate(forms):
        found = _read(form, login)
        if found is not None:
            rated.append((_rating(found, login), -position, found))
    rated = [it for it in rated if it[0] > 0]
    return max(rated, key=lambda it: it[:2])[2] if rated else None


def has_login_form(document: Document) -> bool:
    """Whether *document* asks for a password."""
    found = find_login_form(document)
    return found is not None and found.password is not None


def seen_fields(document: Document) -> list[str]:
    """Return what the forms of *document* ask for, as ``type name``, for a message."""
    fields = [it for form in forms_of(document) for it in form.fields if it.seen]
    return [f"{it.type} {it.name or it.id or '?'}" for it in fields][:_LISTED]


def _selected(document: Document, selector: str, forms: Sequence[Form]) -> list[Form]:
    from parsel import Selector

    try:
        chosen = [it.root for it in Selector(root=document.root, type="html").css(selector)]
    except Exception:  # no selector: no form
        return []
    return [form for form in forms if any(form.element is it for it in chosen)]


def _read(form: Form, login: Login | None) -> LoginForm | None:
    password = _password(form, login)
    user = _user(form, password, login)
    if password is None and user is None:
        return None
    return LoginForm(form, user, password)


def _password(form: Form, login: Login | None) -> Field | None:
    if login is not None and login.password_field:
        return _named(form, login.password_field)
    seen = form.passwords
    if len(seen) > 1:
        # A second one repeats a new password: registrations and changes of passwords.
        current = [it for it in seen if it.autocomplete == "current-password"]
        return current[0] if len(current) == 1 else None
    if seen:
        return None if seen[0].autocomplete == "new-password" else seen[0]
    texts = [it for it in form.fields if it.is_text and it.seen]
    hidden_letters = [it for it in texts if words.PASSWORD.search(it.about)]
    return hidden_letters[0] if len(hidden_letters) == 1 and len(texts) > 1 else None


def _user(form: Form, password: Field | None, login: Login | None) -> Field | None:
    if login is not None and login.user_field:
        return _named(form, login.user_field)
    order = list(form.fields)
    end = order.index(password) if password in order else len(order)
    rated: list[tuple[float, int, Field]] = []
    for position, it in enumerate(order):
        if not (it.is_text and it.seen) or it is password:
            continue
        points = 0.0
        if it.autocomplete.split(" ")[-1] in _USER_AUTOCOMPLETE:
            points += 4
        if words.USER.search(it.about):
            points += 2
        if it.type == "email":
            points += 1
        if words.CAPTCHA.search(it.about) or words.ONE_TIME.search(it.about + it.autocomplete):
            points -= 5
        if it.type == "search" or words.OTHER_FORM.search(it.about):
            points -= 3
        if password is not None:
            # Before the password, and near it.
            points += 1.5 - 0.1 * (end - position) if position < end else -2
        rated.append((points, -position, it))
    best = max(rated, key=lambda it: it[:2], default=None)
    # A field that only stands before the password is enough; without a password a name is needed.
    least = 0.0 if password is not None else 1.5
    return best[2] if best is not None and best[0] >= least else None


def _named(form: Form, name: str) -> Field | None:
    return next((it for it in form.fields if name in (it.name, it.id)), None)


def _rating(found: LoginForm, login: Login | None) -> float:
    """Return how much a form looks like a login; 0 or less: it is none."""
    form = found.form
    points = 0.0
    if found.password is not None:
        points += 5
        if found.user is not None:
            points += 2
    elif not (words.LOGIN_FORM.search(form.about) or _next(form)):
        return 0.0
    else:
        points += 1
    points += 1.5 if words.LOGIN_FORM.search(form.about) else 0.0
    if words.OTHER_FORM.search(form.about):
        points -= 2
    if found.password is None and words.OTHER_FORM.search(form.about):
        return 0.0
    if login is not None and (login.form or login.password_field):
        points += 5
    # A form beside others that cannot be sent without a script.
    return points if form.is_form else points - 1


def _next(form: Form) -> bool:
    """Whether the only thing to fill in is a user's name, as in a first step."""
    seen = [it for it in form.fields if it.seen and it.type not in ("checkbox", "radio", "select")]
    if len(seen) != 1:
        return False
    only = seen[0]
    return only.autocomplete in _USER_AUTOCOMPLETE or (
        only.type in ("text", "email", "tel") and bool(words.USER.search(only.about))
    )
