"""The list of stories agrees with counting their pages one by one."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest

from topiccrawl.insight.overview import Overview, moment_of
from topiccrawl.insight.stories.listing import containing, folded_titles, story_list
from topiccrawl.store.headlines import PageHeadline

AT = datetime(2026, 3, 2, tzinfo=UTC)


def drawn(seed: int) -> list[PageHeadline]:
    draw = random.Random(seed)
    found = []
    for number in range(300):
        story = f"s{draw.randrange(120)}"
        at = AT + timedelta(hours=draw.randrange(5_000))
        site = f"{draw.choice(('www', 'm'))}.h{draw.randrange(9)}.example"
        found.append(
            PageHeadline(
                topic="侨情", url=f"http://h{draw.randrange(9)}.example/{number}", site=site,
                title=f"标题{story} {number}", first_seen=at, fetched_at=at, published_at=at, story=story,
                copy_of="" if draw.random() < 0.3 else "http://x.example/",
            )
        )  # fmt: skip
    return found


@pytest.mark.parametrize("seed", range(3))
def test_sizes_sites_and_times_are_those_of_the_pages(seed: int) -> None:
    headlines = drawn(seed)
    overview = Overview.of(headlines)
    stories = story_list(overview)
    by_story: dict[str, list[PageHeadline]] = {}
    for it in headlines:
        by_story.setdefault(it.story, []).append(it)
    wanted = {name: pages for name, pages in by_story.items() if len(pages) > 1}
    assert len(stories) == len(wanted)
    assert list(stories.size) == sorted((len(it) for it in wanted.values()), reverse=True)
    for place in range(len(stories)):
        pages = wanted[overview.books.story.names[int(stories.story[place])]]
        times = [it.published_at for it in pages if it.published_at]
        assert moment_of(int(stories.first[place])) == min(times)
        assert moment_of(int(stories.last[place])) == max(times)
        assert stories.sites[place] == len({it.site.partition(".")[2] for it in pages})
        shown = overview.columns.url[int(stories.row[place])]
        first = min(pages, key=lambda it: (bool(it.copy_of), it.dated))
        assert shown == first.url
    newest = [stories.last[place] for place in stories.newest]
    assert newest == sorted(newest, reverse=True)


def test_words_choose_stories_by_their_titles() -> None:
    overview = Overview.of(drawn(1))
    stories = story_list(overview)
    some = containing(folded_titles(overview, stories), "標題S1 1")
    titles = [overview.columns.title[int(stories.row[place])] for place in some]
    assert titles
    assert all("标题s1" in title for title in titles)


def test_an_empty_topic_has_no_stories() -> None:
    assert len(story_list(Overview.of([]))) == 0
