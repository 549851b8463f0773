"""Finding the definition of a topic by name, alias, path or bare word."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from topiccrawl.errors import ConfigurationError, Shown
from topiccrawl.language import _, bracketed, listed
from topiccrawl.text.idf import IdfTable
from topiccrawl.text.language import detect_language
from topiccrawl.text.normalize import normalize
from topiccrawl.text.numerals import natural_key
from topiccrawl.topics.addresses import check_seed_url
from topiccrawl.topics.definition import LONGEST_NAME_BYTES, Keyword, Seed, TopicDefinition
from topiccrawl.topics.derive import derive_url_tokens
from topiccrawl.topics.folder import TOPIC_FILE, has_topic_file, load_definition
from topiccrawl.topics.learn import PART_VALUE, word_parts

__all__ = [
    "BARE_WORD",
    "UnknownTopicError",
    "bare_definition",
    "find_definition",
    "is_own_folder",
    "load_definition",
    "near_topics",
    "project_folder",
    "seeds_root",
    "topic_folders",
]

#: ``TopicDefinition.source`` of a topic without a folder, of which only a word is given.
BARE_WORD = "word"

#: Beginnings of paths; another name with a slash may be a word: TCP/IP.
_PATHS = ("/", "\\", "./", "../", ".\\", "..\\", "~")

#: Topics listed in the error message about an unknown one.
_LISTED = 20


class UnknownTopicError(ConfigurationError):
    """No folder has this name, and no seeds are given for a bare word."""


def seeds_root() -> Path | Traversable | None:
    """Return the folder that contains the topic folders, ``None`` if there is none.

    It is ``seeds/`` in the :func:`project_folder` of the working directory; if that does not exist,
    the topics in the installed package (``topiccrawl/_seeds``), zipped or not.
    """
    root = project_folder(Path.cwd()) / "seeds"
    if root.is_dir():
        return root
    packed = files("topiccrawl") / "_seeds"
    return packed if packed.is_dir() else None


def project_folder(start: Path) -> Path:
    """Return the nearest of *start* and its parents that contains a scrapy.cfg, else *start*."""
    return next((d for d in (start, *start.parents) if (d / "scrapy.cfg").is_file()), start)


def is_own_folder(definition: TopicDefinition) -> bool:
    """Return whether the topic has a folder of the user's own, outside the installed package."""
    if definition.source in ("", BARE_WORD):
        return False
    folder = Path(definition.source)
    packed = str(files("topiccrawl") / "_seeds")
    return folder.is_dir() and not str(folder).startswith(packed)


def topic_folders() -> list[Path | Traversable]:
    """Return the folders that contain a topic.toml, sorted by name, numbers in names by value.

    They are those under the seeds root, and those of the installed package whose names and aliases none
    of the former has.
    """
    root = seeds_root()
    if root is None:
        return []
    found = _folders_in(root)
    packed = files("topiccrawl") / "_seeds"
    if packed.is_dir() and str(packed) != str(root):
        own = set().union(*map(_names, found))
        found += [folder for folder in _folders_in(packed) if not own & _names(folder)]
    return sorted(found, key=lambda folder: natural_key(folder.name))


def _folders_in(root: Path | Traversable) -> list[Path | Traversable]:
    return [f for f in root.iterdir() if f.is_dir() and has_topic_file(f)]


def _names(folder: Path | Traversable) -> set[str]:
    """Return the name and the aliases of a topic as they are compared."""
    return {normalize(it) for it in (folder.name, *_aliases(folder))}


def find_definition(
    name_or_path: str, seeds: Sequence[str] = (), *, word_is_known: bool = False
) -> TopicDefinition:
    """Return the definition of a topic.

    Raises ``ConfigurationError`` if no topic matches (the message lists similar names), two topics share the
    alias, the folder is wrong, or a seed is not an http(s) URL.

    Parameters
    ----------
    name_or_path
        In this order: a name or alias under the seeds root (compared after NFKC, conversion to
        simplified characters and lower case), the path of a topic folder, or, if *seeds* are given,
        any word.
    seeds
        URLs where the crawl starts; they replace the seeds of a topic that has a folder.
    word_is_known
        Whether a bare word needs no seeds: an earlier crawl has left a queue for it, or search engines
        are asked.
    """
    wanted = name_or_path.strip()
    if not wanted:
        raise ConfigurationError(_("topic must not be empty; `scrapy topics` lists the known ones"))
    given = tuple(Seed(check_seed_url("seeds", f"URL {i + 1}", s)) for i, s in enumerate(seeds))
    folder = _named(wanted) or _at_path(wanted, may_be_word=bool(given) or word_is_known)
    if folder is not None:
        definition = load_definition(folder)
        return replace(definition, seeds=given) if given else definition
    if not any(c.isalnum() for c in normalize(wanted)):
        raise ConfigurationError(
            _("topic {wanted!r} has neither letters nor digits").format(wanted=wanted)
        )
    if not (given or word_is_known):
        raise UnknownTopicError(_unknown(wanted))
    if len(wanted.encode("utf-8", "replace")) > LONGEST_NAME_BYTES:
        rule = _("must have at most {most} bytes in UTF-8").format(most=LONGEST_NAME_BYTES)
        raise ConfigurationError(
            _("topic name {rule}, got {name!r}").format(rule=rule, name=Shown(wanted))
        )
    return bare_definition(wanted, given)


def bare_definition(word: str, seeds: Sequence[Seed] = ()) -> TopicDefinition:
    """Return the definition of a topic of which only a word is given.

    Its URL tokens are derived from the word, and with the value of a part from its parts.
    """
    parts = word_parts(normalize(word), IdfTable())
    return TopicDefinition(
        name=word,
        language="en" if detect_language(word) == "en" else "zh",
        keywords=(Keyword(word, 1.0, "core"),),
        url_tokens=derive_url_tokens([(word, 1.0), *((part, PART_VALUE) for part in parts)]),
        seeds=tuple(seeds),
        source=BARE_WORD,
    )


def _named(wanted: str) -> Path | Traversable | None:
    key = normalize(wanted)
    folders = topic_folders()
    for folder in folders:
        if normalize(folder.name) == key:
            return folder
    matches = [f for f in folders if key in {normalize(a) for a in _aliases(f)}]
    if len(matches) > 1:
        names = listed(folder.name for folder in matches)
        raise ConfigurationError(
            _("topic {wanted!r} is an alias of more than one topic: {names}").format(
                wanted=wanted, names=names
            )
        )
    return matches[0] if matches else None


def _aliases(folder: Path | Traversable) -> list[str]:
    """Return the aliases in a folder's file, none if it is broken.

    A broken folder must not prevent the crawl of another topic.  The error is reported when that topic
    is requested by the name of its folder.
    """
    try:
        table = tomllib.loads((folder / TOPIC_FILE).read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return []
    aliases = table.get("aliases", [])
    return [a for a in aliases if isinstance(a, str)] if isinstance(aliases, list) else []


def _at_path(wanted: str, *, may_be_word: bool) -> Path | None:
    """Return the topic folder that *wanted* is the path of; ``None`` for a word, also for one like TCP/IP."""
    path = Path(wanted).expanduser()
    if path.name == TOPIC_FILE:
        path = path.parent
    try:
        is_topic = (path / TOPIC_FILE).is_file()
    except (OSError, ValueError):  # a name too long, or with a null byte
        is_topic = False
    if is_topic:
        return path
    absent = _("topic {wanted!r}: there is no {path}").format(wanted=wanted, path=path / TOPIC_FILE)
    if wanted.startswith(_PATHS):
        raise ConfigurationError(absent)
    if any(c in wanted for c in "/\\") and not may_be_word:
        raise UnknownTopicError(absent + _without_folder())
    return None


def _without_folder() -> str:
    return _(
        ". To crawl for a word without a folder, give seeds (-a seeds=http://…) or let search engines"
        " find them (-a search=1)"
    )


def near_topics(wanted: str, others: Iterable[str] = ()) -> str:
    """Return a clause with at most five topics with a folder, or of *others*, similar to *wanted*; ``""`` for none."""
    return _near(wanted, _known_names() | {normalize(it): it for it in others})


def _known_names() -> dict[str, str]:
    """Return the names of topic folders by what they are compared as; also by their aliases."""
    names = {normalize(f.name): f.name for f in topic_folders()}
    for folder in topic_folders():
        names.update({normalize(alias): folder.name for alias in _aliases(folder)})
    return names


def _near(wanted: str, names: Mapping[str, str]) -> str:
    key = normalize(wanted)
    near = get_close_matches(key, sorted(names), n=5, cutoff=0.4)
    # Two Chinese words of two characters are similar if they share one.
    near += sorted(n for n in names if n not in near and not n.isascii() and set(n) & set(key))
    close = list(dict.fromkeys(names[n] for n in near))[:5]
    return _("; near: {names}").format(names=listed(close)) if close else ""


def _unknown(wanted: str) -> str:
    names = _known_names()
    known = list(dict.fromkeys(sorted(names.values(), key=natural_key)))
    message = _("topic {wanted!r} is not known").format(wanted=wanted) + _near(wanted, names)
    message += _("; known: {names}").format(names=listed(known[:_LISTED]) or _("none"))
    if seeds_root() is None:
        folder = project_folder(Path.cwd()) / "seeds"
        message += bracketed(_("there is no folder {folder}").format(folder=folder))
    return message + _without_folder()
