"""Store, export and explain one page: ``python -m tests.support.one_stored_page FOLDER``.

The page goes through the details pipeline into the store ``crawl.sqlite`` in FOLDER, which may exist.
Prints the text of ``scrapy explain``; the export is ``pages.jsonl`` in FOLDER.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

from tests.support import store_records as make
from tests.support.command_line import run_command, sqlite_store
from topiccrawl.analysis.page import PageAnalysis
from topiccrawl.commands.explain import Command as Explain
from topiccrawl.commands.export import Command as Export
from topiccrawl.items import PageItem
from topiccrawl.page.page import Page
from topiccrawl.pipelines.details import PageDetailsPipeline
from topiccrawl.text.analyzer import TextAnalyzer

URL = "http://a.example/one"
BODY = "归侨侨眷座谈会昨日召开。"


def main(folder: Path) -> int:
    item = PageItem(
        topic=make.TOPIC,
        url=URL,
        fetched_at=datetime.now(UTC),
        final_url=URL,
        site="a.example",
        run_id="run",
        body=BODY,
        analysis=PageAnalysis(
            Page(URL, f"<p>{BODY}</p>".encode()),
            SimpleNamespace(analyzer=TextAnalyzer()),
            SimpleNamespace(),
            str,
        ),
    )
    PageDetailsPipeline(sentences=0, keywords=0).process_page(item)
    uri = sqlite_store(folder, [item], [make.outcome(url=URL)])
    exported = run_command(Export(), [make.TOPIC, "--out", f"{folder}/pages.jsonl"], uri)
    return exported or run_command(Explain(), [URL], uri)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
