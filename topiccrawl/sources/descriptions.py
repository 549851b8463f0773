"""Reads the descriptions of engines, TOML files; every mistake is reported with file, key and rule."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import urlsplit

import jmespath
from cssselect import SelectorError
from jmespath.exceptions import JMESPathError
from parsel import Selector

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _, listed
from topiccrawl.sources.engine import METHODS, PLACEHOLDERS, Engine
from topiccrawl.tables import TableReader
from topiccrawl.topics.addresses import check_seed_url
from topiccrawl.userfiles import read_user_toml

#: The engine whose address is a setting.
SEARXNG: Final = "searxng"
#: Folder of descriptions in a topic's folder.
ENGINES_FOLDER: Final = "engines"
#: Largest description (a choice; the largest of ours has 1 KB).
_MOST_BYTES: Final = 100_000

_KEYS: Final = ("request", "pages", "answer", "block")
_REQUEST: Final = ("url", "methods", "charset", "interval", "parameters", "headers")
_PAGES: Final = ("first", "first_offset", "size", "most")
_ANSWER: Final = (
    "format", "results", "url", "title", "snippet", "engines", "redirects", "resolve",
)  # fmt: skip
_BLOCK: Final = ("urls", "texts", "nothing")


def load_engines(
    names: Sequence[str], folders: Sequence[Path | Traversable], searxng: str
) -> tuple[Engine, ...]:
    """Return the engines *names*, the first folder that has one before the others and our own last.

    Raises ``ConfigurationError`` for a name without a file, or a mistake in a file.

    Parameters
    ----------
    names
        Names of files without ``.toml``.
    folders
        The user's folders of descriptions; those that do not exist are skipped.
    searxng
        The address of the user's own SearXNG; without it, that engine is left out.
    """
    engines = []
    for name in dict.fromkeys(names):
        if name == SEARXNG and not searxng and _own_file(name, folders) is None:
            continue
        own = _own_file(name, folders)
        file = own or _packed(name)
        if file is None:
            known = listed(engine_names(folders))
            raise ConfigurationError(
                _(
                    "TOPICCRAWL_SEARCH_ENGINES: there is no search engine {name!r}; known: {known}"
                ).format(name=name, known=known)
            )
        address = searxng if name == SEARXNG else ""
        engines.append(_read_file(name, file, address, own=own is not None or bool(address)))
    return tuple(engines)


def engine_names(folders: Sequence[Path | Traversable] = ()) -> list[str]:
    """Return the names of all engines that can be chosen."""
    entries = (
        entry for folder in (*folders, _package()) if folder.is_dir() for entry in folder.iterdir()
    )
    names = {entry.name.removesuffix(".toml") for entry in entries if entry.name.endswith(".toml")}
    return sorted(names - {"example-json", "example-rss"})


def _own_file(name: str, folders: Iterable[Path | Traversable]) -> Path | Traversable | None:
    return next((file for folder in folders if (file := folder / f"{name}.toml").is_file()), None)


def _packed(name: str) -> Traversable | None:
    file = _package() / f"{name}.toml"
    return file if name and "/" not in name and file.is_file() else None


@cache
def _package() -> Traversable:
    return files("topiccrawl.sources") / "data"


def _read_file(name: str, file: Path | Traversable, address: str, *, own: bool) -> Engine:
    table = read_user_toml(file, _MOST_BYTES)
    return read_engine(name, table, where=str(file), address=address, own=own)


def read_engine(
    name: str, table: Mapping[str, Any], *, where: str, address: str = "", own: bool = False
) -> Engine:
    """Return the engine that *table*, the content of a TOML file, describes.

    Raises ``ConfigurationError`` if anything in it is wrong; the message names *where*, key and rule.
    """
    top = TableReader(where, "", table, _KEYS)
    request = top.table("request", _REQUEST)
    pages = top.table("pages", _PAGES)
    answer = top.table("answer", _ANSWER)
    block = top.table("block", _BLOCK)
    kind: Literal["json", "html", "rss"] = answer.choice("format", ("json", "html", "rss"))
    engine = Engine(
        name=name,
        url=_url(request, _slashed(where, address)),
        parameters=_templates(request, "parameters"),
        methods=request.choices("methods", METHODS, ("GET",)),
        charset=_charset(request),
        headers=_headers(request),
        address=_slashed(where, address),
        own=own,
        interval=request.number("interval", 5.0, rule="[0, 86400]"),
        first_page=pages.count("first", 1),
        first_offset=pages.count("first_offset"),
        page_size=max(1, pages.count("size", 10)),
        most_pages=max(1, pages.count("most", 10)),
        format=kind,
        results=answer.text("results", required=kind != "rss"),
        link=_texts(answer, "url", required=kind != "rss"),
        title=answer.text("title"),
        snippet=answer.text("snippet"),
        engines=answer.text("engines"),
        redirects=answer.texts("redirects"),
        resolve=answer.texts("resolve"),
        block_urls=block.texts("urls"),
        block_texts=block.texts("texts"),
        empty_texts=block.texts("nothing"),
    )
    _check_paths(answer, engine)
    if not any("{query}" in it for it in (engine.url, *engine.parameters.values())):
        top.reject(
            "request",
            _("must have {placeholder} in url or parameters").format(placeholder="{query}"),
        )
    return engine


def _url(request: TableReader, address: str) -> str:
    url = request.text("url", required=True)
    _check_template(request, "url", url)
    given = address or "http://127.0.0.1/"
    check_seed_url(
        request.file,
        request.key("url"),
        url.replace("{address}", given).replace("{", "").replace("}", ""),
    )
    return url


def _slashed(where: str, address: str) -> str:
    if not address:
        return ""
    check_seed_url(where, "address", address)
    return address if address.endswith("/") else f"{address}/"


def _check_template(table: TableReader, key: str, text: str) -> None:
    rest = text
    for name in PLACEHOLDERS:
        rest = rest.replace("{" + name + "}", "")
    if "{" in rest or "}" in rest:
        known = listed("{" + name + "}" for name in PLACEHOLDERS)
        table.reject(
            key,
            _("may contain the placeholders {known}").format(known=known),
            text,
        )


def _templates(request: TableReader, key: str) -> dict[str, str]:
    table = request.table(key, None)
    found = table.all_texts()
    for name, text in found.items():
        _check_template(table, name, text)
    return found


def _headers(request: TableReader) -> dict[str, str]:
    table = request.table("headers", None)
    found = table.all_texts()
    for name, text in found.items():
        good_name = name.isascii() and name.replace("-", "").isalnum()
        if not (good_name and text.isascii() and text.isprintable()):
            table.reject(name, _("must be printable ASCII"), text)
    return found


def _charset(request: TableReader) -> str:
    name = request.text("charset") or "utf-8"
    try:
        "茶".encode(codecs.lookup(name).name)
    except (LookupError, UnicodeEncodeError):
        request.reject("charset", _("must be an encoding of Chinese text"), name)
    return name


def _texts(table: TableReader, key: str, *, required: bool) -> tuple[str, ...]:
    """Return a text or a list of texts."""
    if isinstance(table.raw(key), list):
        return table.texts(key)
    one = table.text(key, required=required)
    return (one,) if one else ()


def _check_paths(answer: TableReader, engine: Engine) -> None:
    """Reject paths that are not JMESPath, or not CSS selectors."""
    if engine.format == "rss":
        return
    keyed = [("results", engine.results), *(("url", path) for path in engine.link)]
    keyed += [("title", engine.title), ("snippet", engine.snippet), ("engines", engine.engines)]
    for key, path in keyed:
        if not path:
            continue
        try:
            if engine.format == "json":
                jmespath.compile(path)
            else:
                Selector(text="<p>", type="html").css(path)
        except (JMESPathError, SelectorError, ValueError) as error:
            rule = _("must be JMESPath") if engine.format == "json" else _("must be a CSS selector")
            answer.reject(key, f"{rule} ({error})", path)


def host_of_engine(engine: Engine) -> str:
    """Return host and port of an engine's address."""
    return urlsplit(engine.url.replace("{address}", engine.address)).netloc.lower()
