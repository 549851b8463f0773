"""A topic is known by its name: what was crawled under another one stays there, and the crawl says so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.loopback_sites import article, crawl, serving

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("name", "aliases"), [("侨讯", '["侨情"]'), ("僑情", "[]")])
def test_a_crawl_of_a_renamed_topic_names_the_pages_of_its_old_name(
    tmp_path: Path, name: str, aliases: str
) -> None:
    with serving({"/": article("侨情首页")}, "127.0.0.1") as site:
        allowed = {"TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED": "all"}
        first = crawl(tmp_path, [f"{site.url}/"], **allowed)
        assert len(first.pages) == 1
        assert not first.lines("is an alias of this topic")
        new = tmp_path / "seeds" / name
        (tmp_path / "seeds" / "侨情").rename(new)
        text = (new / "topic.toml").read_text("utf-8").replace('name = "侨情"', f'name = "{name}"')
        text = re.sub(r"^aliases = .*", f"aliases = {aliases}", text, flags=re.MULTILINE)
        (new / "topic.toml").write_text(text, "utf-8")
        second = crawl(tmp_path, [f"{site.url}/"], topic=name, **allowed)
    (line,) = second.lines("is an alias of this topic")
    assert "1 page is stored under the name 侨情" in line
