"""Images of a page: their addresses, and which of them belong to the content."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from topiccrawl.page.markdown.nodes import Picture

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: Attributes with the address of an image. Those of an image that a script loads when it comes into view come before
#: ``src``, which then is a placeholder.
_ADDRESSES = (
    "data-src", "data-original", "data-lazy-src", "data-lazyload", "data-lazy", "data-actualsrc",
    "data-original-src", "data-url", "data-echo", "file", "zoomfile", "original", "_src", "src", "data-srcset",
    "srcset",
)  # fmt: skip
#: Sides in pixels up to which an image is an icon or counts visits (a guess: thumbnails have 100 and more).
_SMALL = 50
_PLACEHOLDER = re.compile(
    r"^(?:data|blob|about|javascript):|(?:^|[/_.-])(?:blank|spacer|space|pixel|placeholder|gr[ae]y|"
    r"loading|lazy(?:load)?|transparent|1x1|none|nopic|empty)(?:[-_.]?\w{0,4})?\.(?:gif|png|svg|jpe?g|webp)",
    re.IGNORECASE,
)
_DECORATION = re.compile(
    r"(?:^|[/_.\s-])(?:logo|icons?|avatars?|faces?|emoji|emotions?|smil(?:e|ey|ies)|qr(?:-?code)?|"
    r"erweima|wxcode|ewm|share|button|btn|arrow|dots?|line|bg|banner|ads?|counter|stat|touxiang|rss|"
    r"editor(?=[./_-]img)|portrait|copy(?:code)?)(?:[-_./\s\d]|$)",
    re.IGNORECASE,
)
_FILE = re.compile(r"\.(?:jpe?g|png|gif|webp|bmp|avif|svg)(?:[?#!@]|$)", re.IGNORECASE)
_META = ("og:image", "og:image:url", "twitter:image", "twitter:image:src")
_JSON_IMAGE = re.compile(
    r'"image"\s{0,9}:\s{0,9}[\[{\s]{0,20}(?:"@type"\s*:\s*"ImageObject"\s*,\s*)?(?:"url"\s*:\s*)?"((?:https?:)?\\?/[^"\s]{5,2000})"'
)
_DEFAULT = re.compile(
    r"(?:default|nopic|no[-_]?image|site[-_]?image|weixin|wechat)|/static/[^?]*\.(?:png|svg|gif)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d{1,5}")
_STYLED = re.compile(r"(?<![\w-])(width|height)\s*:\s*(\d{1,5})(?:\.\d+)?px", re.IGNORECASE)
#: Most characters of an address, as for links.
_MAX_ADDRESS = 2_083


def picture_of(attributes: Mapping[str, str], line: int, href: str) -> Picture:
    """Return the image of an ``img`` element."""
    width, height = _side(attributes.get("width")), _side(attributes.get("height"))
    for name, value in _STYLED.findall(attributes.get("style", "")[:500]):
        if name.lower() == "width":
            width = width or int(value)
        else:
            height = height or int(value)
    return Picture(
        address_of(attributes),
        " ".join((attributes.get("alt") or attributes.get("title") or "")[:500].split()),
        width,
        height,
        f"{attributes.get('class', '')} {attributes.get('id', '')}".strip()[:200],
        href,
        line,
    )


def address_of(attributes: Mapping[str, str]) -> str:
    """Return the address of an image as written, empty if it is a placeholder.

    >>> address_of({"src": "/loading.gif", "data-src": "/a.jpg"})
    '/a.jpg'
    """
    for name in _ADDRESSES:
        value = attributes.get(name, "")
        address = (largest(value) if name.endswith("srcset") else value).strip()
        if 2 < len(address) <= _MAX_ADDRESS and not _PLACEHOLDER.search(address):
            return address
    return ""


def largest(srcset: str) -> str:
    """Return the address with the largest width or density of a ``srcset``.

    >>> largest("a.jpg 480w, b.jpg 960w")
    'b.jpg'
    """
    best, address = -1.0, ""
    for candidate in srcset[: 20 * _MAX_ADDRESS].split(", "):
        words = candidate.strip(" ,\n\t").split()
        number = re.fullmatch(r"(\d+(?:\.\d+)?)[wx]", words[-1]) if len(words) > 1 else None
        value = float(number[1]) if number is not None else 0.0
        if words and value > best:
            best, address = value, words[0]
    return address


def is_content(picture: Picture) -> bool:
    """Whether an image can belong to the content: it has an address and is not an icon, a logo or the like."""
    if not picture.address:
        return False
    if 0 < picture.width <= _SMALL or 0 < picture.height <= _SMALL:
        return False
    path = picture.address.partition("?")[0]
    folder_and_name = "/".join(path.rsplit("/", 2)[-2:])
    return not (_DECORATION.search(folder_and_name) or _DECORATION.search(picture.names))


def stated_image(meta: Mapping[str, str], json_ld: Sequence[str]) -> str:
    """Return the address of the picture that the metadata state, empty if it is that of the site.

    Many sites state their logo for every page.
    """
    stated = [meta.get(name, "") for name in _META]
    stated += [match[1] for data in json_ld if (match := _JSON_IMAGE.search(data)) is not None]
    for value in stated:
        address = value.strip().replace("\\/", "/")
        if address and is_content(Picture(address)) and not _PLACEHOLDER.search(address):
            return address if not _DEFAULT.search(address) else ""
    return ""


def is_file(href: str) -> bool:
    """Whether an address is that of an image file."""
    return _FILE.search(href) is not None


def _side(value: str | None) -> int:
    if not value or "%" in value:
        return 0
    match = _NUMBER.match(value.strip())
    return int(match.group()) if match is not None else 0
