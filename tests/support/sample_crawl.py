"""An invented crawl with everything a report can show, hostile pages included."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from tests.support.reporting_store import START, make_outcome, make_page, make_run
from topiccrawl.reporting.words.stats import TABLES
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.store.contract import OutcomeRecord, PageRecord, RunRecord

HOSTILE_TITLE = (
    "<script>document.title='PWNED'</script><img src=x onerror=\"document.title='PWNED'\">侨批"
)

HOSTILE_URLS = ("javascript:document.title='PWNED'", "data:text/html,<script>1</script>")


def sample_crawl(
    pages: int = 400,
) -> tuple[list[PageRecord], list[OutcomeRecord], list[RunRecord]]:
    """Return records of two runs with *pages* outcomes; the same at every call."""
    stored: list[PageRecord] = []
    outcomes: list[OutcomeRecord] = []
    for n in range(1, pages + 1):
        run = "run-1" if n <= pages * 2 // 3 else "run-2"
        values: dict[str, Any] = {
            "at": START + timedelta(seconds=n),
            "run_id": run,
            "sequence": n,
            "site": f"host{n % 45}.example.cn",
            "title": HOSTILE_TITLE if n % 40 == 1 else f"侨情新闻第{n}条",
            "relevance": 0.97 if n % 40 == 1 else ((n * 37) % 100) / 110,
            "threshold": 0.3 + 0.05 * n / pages,
        }
        values["probability"] = values["relevance"] / (values["relevance"] + values["threshold"])
        values["probability_threshold"] = 0.45 + 0.05 * n / pages
        url = f"http://{values['site']}/新闻/{n}.html"
        if n % 23 == 0:
            values |= dict.fromkeys(
                ("relevance", "threshold", "probability", "probability_threshold")
            )
            outcomes.append(
                make_outcome(url, **values, verdict="failed", reason="http-404", detail="404")
            )
        elif values["relevance"] < values["threshold"]:
            outcomes.append(
                make_outcome(url, **values, verdict="dropped", reason="off-topic", detail="低")
            )
        elif n % 7 == 0:
            outcomes.append(
                make_outcome(
                    url,
                    **values,
                    verdict="dropped",
                    reason="duplicate-title",
                    detail="title 0.97 similar to http://host1.example.cn/新闻/1.html",
                )
            )
        else:
            reason = "admitted" if n % 50 == 3 else "relevant"
            outcomes.append(make_outcome(url, **values, reason=reason))
            stored.append(
                make_page(
                    HOSTILE_URLS[0] if n % 40 == 1 else url,
                    title=values["title"],
                    site=values["site"],
                    relevance=values["relevance"],
                    probability=values["probability"],
                    run_id=run,
                    fetched_at=values["at"],
                    published_at=START - timedelta(days=n),
                )
            )
    for n, score in enumerate((0.9, 0.8, 0.7)):
        url = HOSTILE_URLS[1] if n == 1 else f"http://host1.example.cn/等待/{'长' * 60}{n}"
        link = LinkEvidence(score, {}, "http://host1.example.cn/", "更多 >>", 2)
        outcomes.append(
            make_outcome(url, verdict="queued", reason="queued", sequence=0, link=link, at=START)
        )
    later = START + timedelta(minutes=30)
    stats = dict.fromkeys((name for table in TABLES for name in table.rows), 1_234_567)
    stats["links/trapped/new-reason"] = 1
    whole = make_run(stats={f"topiccrawl/{name}": count for name, count in stats.items()})
    runs = [whole, make_run("run-2", started_at=later, finished_at=None, stop_reason="")]
    return stored, outcomes, runs
