"""The gazetteer: regions (provinces of China, countries) and their places."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

#: Ends of a place's name that belong to it but do not distinguish it.
SUFFIX: Final = (
    r"(?:特别行政区|壮族自治区|回族自治区|维吾尔自治区|自治区|自治州|自治县|特区|省|市|县|区|州|镇|乡|村|盟|旗|岛)"
)  # fmt: skip
_WITH_SUFFIX: Final = re.compile(rf"^(.{{2,}}?)({SUFFIX})$")
_DATA: Final = "data/places.txt"


@cache
def gazetteer() -> Mapping[str, str]:
    """Return the regions of places; a region's names are among the places, each with the region's main name."""
    text = files("topiccrawl.stories").joinpath(_DATA).read_text(encoding="utf-8")
    found: dict[str, str] = {}
    for line in text.splitlines():
        if line.startswith("#") or ":" not in line:
            continue
        head, _, names = line.partition(":")
        region, *others = re.split(r"[()]", head)
        # 刚果(金) is one name; others in brackets are other names.
        if others and len(others[0]) == 1:
            region, others = f"{region}({others[0]})", others[1:]
        for name in (region, *others):
            if name:
                found[name] = region
        for name in names.split():
            found.setdefault(name, region)
    return found


def place_key(name: str) -> str:
    """Return a name without its suffix.

    >>> place_key("泉州市"), place_key("广东省"), place_key("沙市")
    ('泉州', '广东', '沙市')
    """
    match = _WITH_SUFFIX.match(name)
    return match.group(1) if match else name


def region_of(name: str) -> str:
    """Return the province or country of a place, ``""`` if it is unknown or a region itself."""
    known = gazetteer()
    region = known.get(name) or known.get(place_key(name)) or ""
    return "" if region == place_key(name) else region


def is_known(name: str) -> bool:
    """Whether the gazetteer has a place of this name, with or without its suffix."""
    known = gazetteer()
    return name in known or place_key(name) in known
