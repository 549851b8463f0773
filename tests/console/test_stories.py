"""The views of stories: who published first, and who took it from whom."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.console_server import RunningConsole, console, fill
from tests.support.told_stories import CONGRESS_PAGES, TOPIC, told
from topiccrawl.console.paths import story_path, topic_path


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningConsole]:
    uri = fill(tmp_path_factory.mktemp("desk") / "pages.sqlite", lambda store: store.write(told()))
    with console(uri) as running:
        yield running


def test_the_list_links_to_the_stories_with_copies(desk: RunningConsole) -> None:
    answer = desk.get(topic_path(TOPIC, "stories"))
    assert answer.status == 200
    assert f'href="{story_path(TOPIC, "a" * 16)}"' in answer.text
    assert "5 pages" in answer.text


def test_a_story_names_its_first_publisher_and_the_source_of_each_copy(
    desk: RunningConsole,
) -> None:
    text = desk.get(story_path(TOPIC, "a" * 16)).text
    assert text.index("Published first") < text.index("中新网")
    for _host, name, _hours, source in CONGRESS_PAGES[1:]:
        assert name in text
        assert f"source line: <bdi>{source}</bdi>" in text
    assert "named, not fetched" in text


def test_an_unknown_story_is_not_found(desk: RunningConsole) -> None:
    assert desk.get(story_path(TOPIC, "none")).status == 404


@pytest.mark.parametrize("page", ["0", "-1", "x", "9" * 30, "²"])
def test_a_number_of_a_page_that_is_none_is_the_first(desk: RunningConsole, page: str) -> None:
    assert desk.get(topic_path(TOPIC, "stories", page=page, order="../x")).status == 200
