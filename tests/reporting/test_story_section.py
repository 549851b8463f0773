"""The stories of a report, the tree of text, and the tables."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from topiccrawl.export.stories import columns_of, event_row, page_row, spread_row, values
from topiccrawl.reporting.html.stories import events_section, stories_section
from topiccrawl.reporting.stories import StoriesFound, Story
from topiccrawl.reporting.text.spread import tree_lines
from topiccrawl.reporting.words.labels import Words
from topiccrawl.store.compared import compared_page
from topiccrawl.store.records import PageRecord
from topiccrawl.stories.events import EventStory, cluster_events
from topiccrawl.stories.spread import spread

NOON = datetime(2026, 3, 2, 4, tzinfo=UTC)
TEXT = "大会昨日在桂林开幕，来自各地的代表参加了开幕式。" * 8


def record(number: int, source: str = "", **values: Any) -> PageRecord:
    site = f"www.h{number}.example"
    fields: dict[str, Any] = {
        "topic": "侨务",
        "url": f"http://{site}/1.html",
        "final_url": f"http://{site}/1.html",
        "site": site,
        "site_name": f"第{number}日报",
        "title": "大会开幕",
        "body": TEXT,
        "source": source,
        "published_at": NOON + timedelta(hours=number),
        "fetched_at": NOON + timedelta(days=90),
        "run_id": "run",
        "keywords": ("大会",),
    }
    return PageRecord(**(fields | values))


def story(*records: PageRecord) -> Story:
    return Story(
        "id", {it.url: it for it in records}, spread([compared_page(it) for it in records])
    )


def large(members: int) -> Story:
    sources = [""] + ["第0日报" if n % 3 else f"第{n // 7}日报" for n in range(1, members)]
    return story(*(record(n, source) for n, source in enumerate(sources)))


def found(*stories: Story) -> StoriesFound:
    return StoriesFound(len(stories), sum(len(it.members) - 1 for it in stories), stories, (), {})


def test_the_tree_names_time_outlet_reason_and_confidence() -> None:
    lines = list(tree_lines(story(record(0), record(1, "第0日报"), record(2, "第1日报"))))
    assert lines[0].startswith("2026-03-02 12:00  第0日报  http://www.h0.example/1.html  first")
    assert lines[1].startswith("└─ 2026-03-02 13:00  第1日报")
    assert lines[1].endswith("[source line, 90%]")
    assert lines[2].startswith("   └─ 2026-03-02 14:00  第2日报")


def test_a_day_without_a_time_is_a_day_in_the_tree() -> None:
    late = record(1, "第0日报", published_at=datetime(2026, 3, 2, 16, tzinfo=UTC))
    assert list(tree_lines(story(record(0), late)))[1].startswith("└─ 2026-03-03  第1日报")


def test_many_copies_of_one_page_are_cut_in_the_tree_of_text() -> None:
    records = [record(0), *(record(n, "第0日报") for n in range(1, 100))]
    lines = list(tree_lines(story(*records), most=5))
    assert len(lines) == 7
    assert lines[-1] == "└─ … and 94 more"


def test_an_outlet_that_was_not_fetched_is_in_the_tree() -> None:
    lines = list(tree_lines(story(record(0, "新华社"), record(1, "新华社"))))
    assert lines[0] == "新华社 (named, not fetched)"


def test_a_story_of_a_thousand_pages_shows_few_lines_and_contains_all() -> None:
    large_story = large(300)
    section = str(stories_section(found(large_story), Words("en")))
    assert all(f'href="{url}"' in section for url in large_story.members)
    assert section.count("<details open>") == 1
    assert section.count("<details") == section.count("</details>")


def test_a_small_story_is_open() -> None:
    section = str(stories_section(found(story(record(0), record(1, "第0日报"))), Words("zh")))
    assert "<details open>" in section
    assert "来源行" in section


def test_text_of_pages_is_escaped() -> None:
    evil = record(1, title="<script>1</script>", site_name='"><script>2</script>')
    section = str(stories_section(found(story(record(0, title="<b>"), evil)), Words("both")))
    assert "<script>" not in section


def test_a_report_without_copies_has_no_stories() -> None:
    assert stories_section(None, Words("en")) is None
    assert events_section(None, Words("en")) is None


def test_the_tables_have_a_value_for_each_column() -> None:
    one = story(record(0, author="王某"), record(1, "第0日报"), record(2, "新华社"))
    row = spread_row(one)
    assert row["publisher"] == "第0日报"
    assert row["reposted_by"] == ["第1日报", "第2日报"]
    assert row["copies"] == 2
    assert len(values("spread", row)) == len(columns_of("spread"))
    attributes = page_row(one, "http://www.h1.example/1.html")
    assert attributes["taken_from"] == "http://www.h0.example/1.html"
    assert attributes["reason"] == "source-line"
    assert len(values("pages", attributes)) == len(columns_of("pages"))


def test_the_time_of_the_fetch_is_not_stated_as_that_of_publication() -> None:
    one = story(record(0, published_at=None), record(1, "第0日报"))
    row = spread_row(one)
    assert row["publisher"] == "第0日报"
    assert row["published_at"] is None
    assert len(values("spread", row)) == len(columns_of("spread"))


def test_events_are_a_table() -> None:
    stories = [
        EventStory(id=str(n), title=title, body=title, at=NOON)
        for n, title in enumerate(("泸定地震救援", "泸定地震救援继续"))
    ]
    (event,) = cluster_events(stories)
    urls = {"0": "http://a.example/", "1": "http://b.example/"}
    assert len(values("events", event_row(event, urls))) == len(columns_of("events"))
    data = StoriesFound(0, 0, (), [event], urls)
    section = str(events_section(data, Words("en")))
    assert "泸定地震" in section
    assert 'href="http://b.example/"' in section
