"""The console shows the same of a collection in SQLite and in MongoDB, and its forms write to both."""

from __future__ import annotations

import html
import re
from pathlib import Path

from tests.support.console_examples import examples, keep_events
from tests.support.console_server import RunningConsole, console, fill_store
from tests.support.console_stores import STORY, TOPIC, URL, fill_honest
from tests.support.console_walk import view_paths
from topiccrawl.console.sections import sections
from topiccrawl.store.contract import Store

#: Sections of what crawls leave in files of this machine.
OF_CRAWLS = {"crawls", "running"}
READ = f"/t/{TOPIC}/page?url={URL}"


async def fill_it(store: Store) -> None:
    await fill_honest(store)
    await keep_events(store, TOPIC)


def shown(desk: RunningConsole, path: str) -> tuple[int, str]:
    """Return status and visible text of a view, without the foot, which names the store."""
    answer = desk.get(path)
    if not answer.headers["content-type"].startswith("text/html"):
        return answer.status, answer.headers["content-type"]
    text = re.sub(
        r"<script.*?</script>|<footer.*?</footer>|<[^>]+>", " ", answer.text, flags=re.DOTALL
    )
    return answer.status, " ".join(html.unescape(text).split())


def test_every_view_and_form_is_the_same(tmp_path: Path, mongo_database_uri: str) -> None:
    uris = [f"sqlite:///{tmp_path / 'pages.sqlite'}", mongo_database_uri]
    views: list[dict[str, tuple[int, str]]] = []
    for uri in uris:
        fill_store(uri, fill_it)
        with console(uri, write=True, folder=tmp_path) as desk:
            known = examples(desk, TOPIC, STORY)
            found: dict[str, tuple[int, str]] = {}
            for section in (it for it in sections() if it.key not in OF_CRAWLS):
                for number, path in enumerate(view_paths(section.key, TOPIC, URL, known)):
                    found[f"{section.key} {number}"] = shown(desk, path)
            fields = {"url": URL, "note": "核对过", "tags": "要闻 侨批"}
            assert desk.submit(READ, f"/t/{TOPIC}/notes/save", fields).status == 303
            found["after a note"] = shown(desk, READ)
            views.append(found)
    assert "核对过" in views[0]["after a note"][1]
    assert len(views[0]) > 25
    assert not {answer[0] for answer in views[0].values()} - {200, 286}
    for name, answer in views[0].items():
        assert views[1][name] == answer, name
