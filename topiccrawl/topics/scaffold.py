"""Creates a topic folder that is valid at once and explains every key."""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _, labeled
from topiccrawl.sharedfiles import new_folder, replace_file
from topiccrawl.text.analyzer import TextAnalyzer
from topiccrawl.text.normalize import normalize
from topiccrawl.topics.addresses import check_seed_url
from topiccrawl.topics.definition import LONGEST_NAME_BYTES
from topiccrawl.topics.derive import derive_url_tokens
from topiccrawl.topics.folder import SAMPLES_FOLDER, TOPIC_FILE
from topiccrawl.urls.scope import checked_patterns
from topiccrawl.userfiles import writing

#: Characters that file names must not contain on some system, path separators above all.
_FORBIDDEN = '/\\:*?"<>|'

#: Value of a URL token that is given without one (a guess).
GIVEN_TOKEN = 0.9

_TEMPLATE = """\
# 主题定义。字段说明见 docs/topics.md；改完后运行 `scrapy topics --check`。
# A topic. docs/topics.md explains every key; check your changes with `scrapy topics --check`.

# 主题名称，与文件夹同名 / the name, the same as the folder's
name = {name}
# 别名：繁体、拼音、英文 / other names for this topic
aliases = []
description = ""
# 语言 zh 或 en / language of the topic: zh or en
language = {language}
# 中国图书馆分类法 分类号，`scrapy topics --tree` 可浏览 / codes of the Chinese Library Classification
classification = []
# 搜索词模板 / search queries; {{keyword}} and {{site}} are filled in
queries = ["{{keyword}} site:{{site}}"]

# 只抓取／不抓取的网址：主机（含子域名）、主机/路径前缀、/路径，* 为任意字符；见 docs/urls.md
# Sites to keep to, and what to leave out: hosts, host/path, /path; * for any characters
allow = {allow}
deny = {deny}

# 关键词与相关度 (0, 1]：core 核心，synonym 同义，near 近义，hyponym 下位，hypernym 上位，
# entity 机构人名，related 相关。低于 0.5 的词单独出现时不足以追踪链接。
# Keywords and their relevance to the topic, in (0, 1]. No link is followed for a word below 0.5 alone.
[keywords.core]
{keywords}
# [keywords.synonym]
# [keywords.near]
# [keywords.hyponym]
# [keywords.hypernym]
# [keywords.entity]
# [keywords.related]

# 含有关键词却与主题无关的词，取值 [0, 0.5] / words that contain a keyword but are off topic
# [negative]
# "…" = 0.1

# 网址中的线索，由关键词推得（拼音、首字母、英文）；不超过 4 个字母或写作 "/…/" 的只匹配整段路径
# Words in URLs, derived from the keywords (pinyin, initials, English); up to 4 letters, and those
# written "/…/", match whole segments only
[url_tokens]
{url_tokens}

# 种子网站 / where to start
{seeds}
[thresholds]
# 保留网页的最低相关度，不写则由样本学习 / minimum relevance of a page; learned by default
# relevance = 0.25
# 链接阈值 c / threshold for links
link = 0.5

[limits]
# 0 表示不限 / 0 = no limit
max_pages = 0
max_depth = 0

# 在 samples/ 放几篇典型文章（UTF-8 的 .txt，建议 5 篇以上），主题向量由此学习。
# Put typical texts into samples/ (.txt in UTF-8, five or more): the topic is learned from them.
"""


def new_topic(
    root: Path,
    name: str,
    keywords: Sequence[str] = (),
    seeds: Sequence[str] = (),
    language: str = "zh",
    url_tokens: Sequence[str] = (),
    allow: Sequence[str] = (),
    deny: Sequence[str] = (),
) -> Path:
    """Write ``root/name/topic.toml`` and an empty folder ``samples/``.

    Raises ``ConfigurationError`` if the name cannot be that of a folder, the folder exists (nothing is
    overwritten), a value is wrong, or the folder cannot be written.

    Parameters
    ----------
    root
        The folder of the topic folders.
    name
        Name of the topic and its folder.
    keywords
        Core keywords, ``word`` or ``word=value`` with a value in (0, 1]; without any, the name is the
        keyword.  Of keywords that are equal after normalization, the last is written.
    seeds
        URLs where a crawl starts.
    language
        ``zh`` or ``en``.
    url_tokens
        Tokens of URLs, beside those that are derived from the keywords
        (:mod:`topiccrawl.topics.derive`): ``token`` or ``token=value`` with a value in (0, 1].
    allow, deny
        Patterns of the URLs that a crawl keeps to, and of those that it leaves out.

    Returns
    -------
    Path
        The folder of the topic.
    """
    name = checked_name(name, root)
    if language not in ("zh", "en"):
        raise ConfigurationError(
            _("--language must be zh or en, got {language!r}").format(language=language)
        )
    of_name = _("the name, which is the keyword without --keywords")
    terms = checked_terms(keywords) if keywords else checked_terms([name], of_name)
    values = [(term, value) for term, (__, value) in terms.items()]
    tokens = {**derive_url_tokens(values), **_given_tokens(url_tokens)}
    checked_patterns(allow, lambda position, message: _reject("--allow", message))
    checked_patterns(deny, lambda position, message: _reject("--deny", message))
    urls = dict.fromkeys(check_seed_url("--seeds", f"URL {i + 1}", s) for i, s in enumerate(seeds))
    text = _TEMPLATE.format(
        name=_quote(name),
        language=_quote(language),
        keywords="\n".join(f"{_quote(k)} = {value}" for k, value in terms.values()),
        allow=_list(allow),
        deny=_list(deny),
        url_tokens="\n".join(f"{_quote(t)} = {value:g}" for t, value in tokens.items()),
        seeds="".join(f'[[seeds]]\nname = ""\nurl = {_quote(u)}\n\n' for u in urls)
        or '# [[seeds]]\n# name = ""\n# url = "http://…"\n\n',
    )
    folder = root / name
    # In one step: a folder without the file would refuse the same command.
    with writing(folder), new_folder(folder) as draft:
        (draft / SAMPLES_FOLDER).mkdir()
        replace_file(draft / TOPIC_FILE, text.encode())
    return folder


def checked_name(name: str, root: Path) -> str:
    """Return *name* as that of a new folder in *root*; :class:`ConfigurationError` if it cannot be one."""
    # The space of a Chinese input method: messages would show it as an escape.
    name = name.replace("\u3000", " ").strip()
    _check_name(name)
    folder = root / name
    if folder.exists() or _taken(root, name):
        raise ConfigurationError(
            _("{folder}: there is a topic of this name already").format(folder=folder)
        )
    return name


def checked_terms(
    keywords: Sequence[str], option: str = "--keywords"
) -> dict[str, tuple[str, float]]:
    """Return *keywords* and their values by the normalized form; :class:`ConfigurationError` for wrong ones.

    *option* is what the message calls them.
    """
    given = [_valued(option, k, 1.0) for k in keywords if k.strip()]
    terms = {normalize(word).strip(): (word, value) for word, value in given}
    for term, (word, __) in terms.items():
        if not any(c.isalnum() for c in term):
            raise ConfigurationError(
                _("{option} must be words, got {word!r}").format(option=option, word=word)
            )
    words = [word for word, __ in terms.values()]
    analyzer = TextAnalyzer(words)
    for word in words:
        if not analyzer.terms(word):
            raise ConfigurationError(
                labeled(
                    option,
                    _("{word!r} has stop words, single letters and numbers only").format(word=word),
                )
            )
    if not terms:
        raise ConfigurationError(_("{option} must contain at least one word").format(option=option))
    return terms


def _reject(option: str, message: str) -> NoReturn:
    raise ConfigurationError(labeled(option, message))


def _given_tokens(tokens: Sequence[str]) -> dict[str, float]:
    given: dict[str, float] = {}
    for text in tokens:
        token, value = _valued("--url-tokens", text, GIVEN_TOKEN)
        given[normalize(token).strip()] = value
    return given


def _valued(option: str, text: str, default: float) -> tuple[str, float]:
    """Return the word of ``word`` or ``word=value`` and its value; :class:`ConfigurationError` if it is neither."""
    # The sign of a Chinese input method is one, too.
    word, __, number = text.replace("＝", "=").partition("=")
    normal = normalize(word).strip()
    try:
        value = float(number) if number else default
    except ValueError:
        value = math.nan
    if not normal.strip("/") or _has_control(normal) or not 0 < value <= 1:
        rule = _("must be words, or word=value with a value in (0, 1]")
        raise ConfigurationError(
            _("{option} {rule}, got {text!r}").format(option=option, rule=rule, text=text)
        )
    return word.strip(), value


def _check_name(name: str) -> None:
    rule = ""
    if not name:
        rule = _("must not be empty")
    elif any(c in _FORBIDDEN for c in name) or name.startswith((".", "-")):
        rule = _("must be a word, not a path: none of {forbidden}, no leading dot or dash").format(
            forbidden=_FORBIDDEN
        )
    elif _has_control(name):
        rule = _("must not contain control characters")
    elif not any(c.isalnum() for c in name):
        rule = _("must contain a letter, a digit or a Han character")
    elif len(name.encode("utf-8", "replace")) > LONGEST_NAME_BYTES:
        rule = _("must have at most {most} bytes in UTF-8").format(most=LONGEST_NAME_BYTES)
    if rule:
        raise ConfigurationError(_("topic name {rule}, got {name!r}").format(rule=rule, name=name))


def _has_control(text: str) -> bool:
    # Cc, Cf, Cs, Co, Cn: control, invisible, lone surrogate, private, unassigned.
    return any(unicodedata.category(c).startswith("C") for c in text)


def _taken(root: Path, name: str) -> bool:
    if not root.is_dir():
        return False
    return any(normalize(entry.name) == normalize(name) for entry in root.iterdir())


def _list(texts: Sequence[str]) -> str:
    return f"[{', '.join(map(_quote, texts))}]"


def _quote(text: str) -> str:
    """Return *text* as a TOML basic string: the escapes of JSON are a subset of those of TOML."""
    return json.dumps(text, ensure_ascii=False)
