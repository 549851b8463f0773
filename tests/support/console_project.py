"""A project with one topic and a store, for the views of crawls and topic files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.console_server import fill
from tests.support.reporting_store import make_outcome, make_page, make_run

#: The store of the project, as seen from its folder.
STORE = "sqlite:///data/a.sqlite"


def enter_project(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write the project into *folder*, make it the working directory, and return it.

    Its topic is 绿化, that of the one page in its store 侨情.
    """
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = topiccrawl.settings\n")
    topic = folder / "seeds" / "绿化"
    topic.mkdir(parents=True)
    (topic / "topic.toml").write_text(
        'name = "绿化"\n# words\n[keywords.core]\n"绿化" = 1.0\n\n[[seeds]]\nurl = "http://a.example/"\n',
        "utf-8",
    )
    (folder / "data").mkdir()
    fill(
        folder / "data" / "a.sqlite",
        lambda store: store.write([make_page()], [make_outcome()], [make_run()]),
    )
    monkeypatch.chdir(folder)
    return folder
