"""``/definitions``: the topics of the project; seeds, words and limits of a topic, edited and checked."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from topiccrawl.console.crawls.desk import crawl_desk
from topiccrawl.console.desk import desk_of
from topiccrawl.console.forms import text_field, writing
from topiccrawl.console.frame.cleaning import visible
from topiccrawl.console.rendering import render
from topiccrawl.console.sections import Section
from topiccrawl.errors import ConfigurationError
from topiccrawl.imports.lists import listed_urls, with_scheme
from topiccrawl.language import N_, _
from topiccrawl.topics.addresses import check_seed_url
from topiccrawl.topics.definition import RELATIONS, TopicDefinition
from topiccrawl.topics.editing import add_seed, remove_seed, set_entry
from topiccrawl.topics.folder import TOPIC_FILE, load_definition
from topiccrawl.topics.load import project_folder, topic_folders
from topiccrawl.topics.saving import (
    OpenTopic,
    check_topic,
    copy_topic,
    editable_folder,
    open_topic,
    save_topic,
)
from topiccrawl.topics.scaffold import checked_name, checked_terms, new_topic
from topiccrawl.topics.show import relation_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from importlib.resources.abc import Traversable
    from pathlib import Path

    from starlette.datastructures import FormData
    from starlette.requests import Request

#: Kinds of words and the tables that hold them.
_WORD_TABLES: Final = {
    **{name: ("keywords", name) for name in RELATIONS},
    "negative": ("negative",),
}
#: Numbers of a topic and the tables that hold them; the file's own rules check them.
_NUMBERS: Final = {
    "relevance": ("thresholds",),
    "link": ("thresholds",),
    "max_pages": ("limits",),
    "max_depth": ("limits",),
}
_MOST_WORDS: Final = 2_000
#: Characters of the fields that are shown again after a mistake.
_TYPED: Final = {
    "url": 5_000, "seed_name": 200, "whole": 5, "term": 2_000, "kind": 20, "key": 20, "value": 20,
}  # fmt: skip
#: The same of the form for a new topic.
_TYPED_NEW: Final = {"name": 200, "language": 10, "words": 20_000, "seeds": 200_000}
#: Between words that were typed.
_BETWEEN_WORDS: Final = "[,，、;；\n]"
_MOST_TEXT: Final = 4_000_000


#: Makes the new text of a file from the present one.
Change: TypeAlias = "Callable[[str], str]"


@dataclass(frozen=True, slots=True)
class _Topic:
    """A topic that is being looked at."""

    name: str
    folder: Path | Traversable
    opened: OpenTopic | None
    """``None`` for a topic of the installed package, which cannot be changed."""
    definition: TopicDefinition | None
    problem: str


async def index(request: Request) -> Response:
    """List the topics of the project, with a form for a new one."""
    return await _index(request, dict.fromkeys(_TYPED_NEW, ""), {})


async def _index(
    request: Request, typed: Mapping[str, str], problems: Mapping[str, str]
) -> Response:
    """List the topics; *problems* are those of the form *typed*, by its fields, or of the whole ``form``."""
    names = [it.name for it in await run_in_threadpool(topic_folders)]
    stored = await desk_of(request).topics()
    return render(
        request,
        "definitions/index.html",
        422 if problems else 200,
        names=names,
        others=sorted({*stored} - {*names}),
        typed=typed,
        problems=problems,
    )


@writing
async def create(request: Request, form: FormData) -> Response:
    """Make a topic, or show at each field what is wrong with it."""
    typed = {name: text_field(form, name, most) for name, most in _TYPED_NEW.items()}
    root = project_folder(crawl_desk(desk_of(request)).cwd) / "seeds"
    try:
        name, problems = await run_in_threadpool(_create, root, typed)
    except ConfigurationError as error:
        name, problems = "", {"form": str(error)}
    if problems:
        return await _index(request, typed, problems)
    return RedirectResponse(f"/definitions/{quote(name, safe='')}?made=1", 303)


def _create(root: Path, typed: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Make the topic that was *typed*; return its name, and what is wrong with which fields."""
    words = [it.strip() for it in re.split(_BETWEEN_WORDS, typed["words"]) if it.strip()]
    seeds: list[str] = []

    def read_seeds() -> None:
        for it in listed_urls(typed["seeds"].splitlines()):
            line = _("line {n}").format(n=it.line)
            seeds.append(check_seed_url(_("Seeds"), line, it.url or it.text))

    checks: dict[str, Callable[[], object]] = {
        "name": lambda: checked_name(typed["name"], root),
        "words": lambda: words and checked_terms(words, _("Keywords")),
        "seeds": read_seeds,
    }
    problems = {}
    for field, check_field in checks.items():
        try:
            check_field()
        except ConfigurationError as error:
            problems[field] = str(error)
    if problems:
        return "", problems
    return new_topic(root, typed["name"], words, seeds, typed["language"] or "zh").name, {}


async def edit(request: Request) -> Response:
    """Show the definition of one topic, with its forms."""
    name = request.path_params["name"]
    try:
        topic = await run_in_threadpool(_find, name)
    except HTTPException:
        if name not in await desk_of(request).topics():
            raise
        # A word alone, or a folder of another project: the list names it among those without a file.
        return RedirectResponse("/definitions", 303)
    return await _page(request, topic)


async def _page(
    request: Request,
    topic: _Topic,
    *,
    error: str = "",
    text: str | None = None,
    digest: str = "",
    typed: FormData | None = None,
    status: int = 200,
) -> Response:
    """Show a topic; where *text* is given, with this text, which was not saved.

    *digest* is that of the file from which the user made the text: it stays, so that what somebody else
    has changed since is not overwritten by sending the text again.  *typed* is the form that was refused.
    """
    stored = await desk_of(request).topics()
    shown = text if text is not None else (topic.opened.text if topic.opened else "")
    definition = topic.definition
    return render(
        request,
        "definitions/edit.html",
        status,
        topic=topic.name if topic.name in stored else None,
        file_name=topic.name,
        definition=definition,
        editable=topic.opened is not None,
        file=str(topic.folder / TOPIC_FILE),
        text=shown,
        is_plain=visible(shown) == shown,
        digest=topic.opened.digest if topic.opened else "",
        text_digest=digest if text is not None or topic.opened is None else topic.opened.digest,
        problem=topic.problem,
        error=error,
        typed={
            name: text_field(typed, name, most) if typed else "" for name, most in _TYPED.items()
        },
        kinds={name: relation_name(name) for name in _WORD_TABLES},
        words=[] if definition is None else _words(definition),
        numbers=[] if definition is None else _numbers(definition),
        saved=request.query_params.get("saved", "")[:200],
        made="made" in request.query_params,
    )


def _words(definition: TopicDefinition) -> list[tuple[str, float, str]]:
    found = [(it.term, it.value, str(it.relation)) for it in definition.keywords]
    found += [(it.term, it.value, "negative") for it in definition.negatives]
    return found[:_MOST_WORDS]


def _numbers(definition: TopicDefinition) -> list[tuple[str, str, float | None]]:
    thresholds, limits = definition.thresholds, definition.limits
    return [
        ("relevance", _("threshold of the relevance of a page"), thresholds.relevance),
        ("link", _("threshold of the metadata of a link"), thresholds.link),
        ("max_pages", _("pages of a run at most"), limits.max_pages),
        ("max_depth", _("links from a seed at most"), limits.max_depth),
    ]


def _find(name: str) -> _Topic:
    for folder in topic_folders():
        if folder.name == name:
            break
    else:
        raise HTTPException(404)
    opened, definition, problem = None, None, ""
    try:
        if (own := editable_folder(folder)) is not None:
            opened = open_topic(own)
        definition = load_definition(folder)
    except (ConfigurationError, OSError) as error:
        problem = str(error)
    return _Topic(name, folder, opened, definition, problem)


@writing
async def save(request: Request, form: FormData) -> Response:
    """Save the whole text of the file."""
    text = text_field(form, "text", _MOST_TEXT)
    return await _save(request, form, lambda __: text, shown=text)


@writing
async def check(request: Request, form: FormData) -> Response:
    """Check the text without saving it."""
    topic = await run_in_threadpool(_find, request.path_params["name"])
    text = text_field(form, "text", _MOST_TEXT)
    error = ""
    if topic.opened is not None:
        try:
            await run_in_threadpool(check_topic, topic.opened.folder, text)
        except ConfigurationError as found:
            error = str(found)
    return await _page(
        request,
        topic,
        error=error or _("Everything is right; nothing was saved."),
        text=text,
        digest=text_field(form, "digest", 100),
    )


@writing
async def seed(request: Request, form: FormData) -> Response:
    """Add or remove a seed."""
    url = text_field(form, "url", 5_000).strip()
    name = text_field(form, "seed_name", 200).strip()

    def change(text: str) -> str:
        if text_field(form, "do", 10) == "remove":
            return remove_seed(text, url)
        checked = check_seed_url(_("the form"), "URL", with_scheme(url))
        return add_seed(text, checked, name, whole=bool(text_field(form, "whole", 5)))

    return await _save(request, form, change)


@writing
async def word(request: Request, form: FormData) -> Response:
    """Add or change words, which commas separate, or remove one."""
    term = text_field(form, "term", 2_000).strip()
    kind = text_field(form, "kind", 20)

    def change(text: str) -> str:
        table = _WORD_TABLES.get(kind)
        if table is None or not term:
            raise ConfigurationError(_("a word and its kind are needed"))
        if text_field(form, "do", 10) == "remove":
            return set_entry(text, table, term, None)
        value = _number(text_field(form, "value", 20), _("Value"))
        for one in filter(None, map(str.strip, re.split("[,，、;；]", term))):
            text = set_entry(text, table, one, value)
        return text

    return await _save(request, form, change)


@writing
async def limit(request: Request, form: FormData) -> Response:
    """Set a threshold or a limit; an empty field removes it."""
    key = text_field(form, "key", 20)
    written = text_field(form, "value", 20).strip()

    def change(text: str) -> str:
        if key not in _NUMBERS:
            raise ConfigurationError(_("there is no limit {name!r}").format(name=key))
        value: float | None = _number(written, key) if written else None
        if value is not None and key.startswith("max_") and value.is_integer():
            value = int(value)
        return set_entry(text, _NUMBERS[key], key, value)

    return await _save(request, form, change)


@writing
async def copy(request: Request, form: FormData) -> Response:
    """Copy a topic of the installed package into the project."""
    topic = await run_in_threadpool(_find, request.path_params["name"])
    cwd = crawl_desk(desk_of(request)).cwd
    try:
        await run_in_threadpool(copy_topic, topic.folder, topic.name, cwd)
    except ConfigurationError as error:
        return await _page(request, topic, error=str(error), status=422)
    return _shown(topic.name, "")


async def _save(
    request: Request, form: FormData, change: Change, *, shown: str | None = None
) -> Response:
    """Save what *change* makes of the file, or show why not, with the user's text kept."""
    topic = await run_in_threadpool(_find, request.path_params["name"])
    if topic.opened is None:
        message = _("This topic belongs to the installed package: copy it into the project first.")
        return await _page(request, topic, error=message, text=shown, typed=form, status=422)
    digest = text_field(form, "digest", 100)
    try:
        text = change(topic.opened.text)
        backup = await run_in_threadpool(save_topic, topic.opened.folder, text, digest)
    except ConfigurationError as error:
        return await _page(
            request, topic, error=str(error), text=shown, digest=digest, typed=form, status=422
        )
    return _shown(topic.name, backup.name)


def _shown(name: str, backup: str) -> Response:
    return RedirectResponse(f"/definitions/{quote(name, safe='')}?saved={quote(backup)}", 303)


def _number(text: str, name: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ConfigurationError(
            _("{name} must be a number, got {value!r}").format(name=name, value=text)
        )
    return value


SECTION = Section(
    "definitions",
    N_("Topic files"),
    85,
    routes=[
        Route("/definitions", index),
        Route("/definitions", create, methods=["POST"]),
        Route("/definitions/{name}", edit),
        Route("/definitions/{name}/save", save, methods=["POST"]),
        Route("/definitions/{name}/check", check, methods=["POST"]),
        Route("/definitions/{name}/seed", seed, methods=["POST"]),
        Route("/definitions/{name}/word", word, methods=["POST"]),
        Route("/definitions/{name}/limit", limit, methods=["POST"]),
        Route("/definitions/{name}/copy", copy, methods=["POST"]),
    ],
    needs_topic=False,
)
