"""A store in memory and a small crawl to fill it with, for tests of reading commands."""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, datetime, timedelta

from tests.support.store_memory import MemoryStore
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.store.contract import OutcomeRecord, PageRecord, RunRecord

START = datetime(2024, 5, 1, 2, 0, tzinfo=UTC)
CST = datetime.fromisoformat("2024-01-01T00:00+08:00").tzinfo


class ReportingStore(MemoryStore):
    """An empty store of its own, already open."""

    def __init__(self) -> None:
        super().__init__(defaultdict(dict), read_only=False)
        self._is_open = True


def make_outcome(url: str = "http://qw.example.cn/1", **changes: object) -> OutcomeRecord:
    """An outcome of a stored page, with *changes*."""
    values: dict[str, object] = {
        "topic": "侨情",
        "url": url,
        "verdict": "stored",
        "reason": "relevant",
        "detail": "relevance 0.41 >= threshold 0.22",
        "at": START,
        "run_id": "run-1",
        "sequence": 1,
        "title": "华侨捐资助学",
        "site": "qw.example.cn",
        "relevance": 0.41,
        "threshold": 0.22,
        "main_terms": (("华侨", 0.2), ("侨务", 0.11)),
        "link": LinkEvidence(),
    }
    return OutcomeRecord(**{**values, **changes})  # type: ignore[arg-type]


def make_page(url: str = "http://qw.example.cn/1", **changes: object) -> PageRecord:
    """A stored page, with *changes*."""
    values: dict[str, object] = {
        "topic": "侨情",
        "url": url,
        "final_url": url,
        "title": "华侨捐资助学",
        "body": "海外华侨捐资建学校。",
        "site": "qw.example.cn",
        "charset": "gb18030",
        "language": "zh-Hans",
        "content_hash": "00ff",
        "relevance": 0.41,
        "main_terms": (("华侨", 0.2), ("侨务", 0.11)),
        "fetched_at": START,
        "published_at": datetime(2024, 4, 30, 0, 0, tzinfo=CST),
        "link": LinkEvidence(0.9, {"rw": 0.9, "rwb": 0.9}, "http://qw.example.cn/", "侨务新闻", 1),
        "run_id": "run-1",
        "author": "方敏",
        "source": "侨乡日报",
        "editor": "李小明",
        "kind": "article",
        "summary": "海外华侨捐资建学校。",
        "keywords": ("华侨", "捐资助学"),
    }
    return PageRecord(**{**values, **changes})  # type: ignore[arg-type]


def make_run(id_: str = "run-1", **changes: object) -> RunRecord:
    """A finished run, with *changes*."""
    values: dict[str, object] = {
        "id": id_,
        "topic": "侨情",
        "started_at": START,
        "finished_at": START + timedelta(minutes=5),
        "stop_reason": "closespider_pagecount",
        "strategy": "ipagerank-rwb",
        "seed": 1,
        "stats": {"topiccrawl/pages/fetched": 120},
    }
    return RunRecord(**{**values, **changes})  # type: ignore[arg-type]
