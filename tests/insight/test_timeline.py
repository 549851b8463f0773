"""Time lines count what happened in steps that fit."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.insight.stories.timeline import MOST_STEPS, timeline

times = st.lists(
    st.datetimes(datetime(2000, 1, 1), datetime(2030, 1, 1)).map(lambda at: at.replace(tzinfo=UTC)),
    min_size=1,
    max_size=30,
)


@given(times)
def test_every_time_is_counted_in_its_step(some: list[datetime]) -> None:
    found = timeline(some)
    assert found is not None
    assert len(found.starts) == len(found.counts) <= MOST_STEPS
    assert sum(found.counts) + found.earlier == len(some)
    ends = [*found.starts[1:], datetime.max.replace(tzinfo=UTC)]
    for start, end, count in zip(found.starts, ends, found.counts, strict=True):
        assert count == sum(start <= at < end for at in some)


def test_a_story_of_a_day_has_hours_and_one_of_a_year_weeks() -> None:
    noon = datetime(2026, 3, 2, 4, tzinfo=UTC)
    steps = {
        hours: getattr(timeline([noon, noon + timedelta(hours=hours)]), "step", "")
        for hours in (5, 200, 24 * 300, 24 * 900)
    }
    assert list(steps.values()) == ["hour", "day", "week", "month"]


def test_nothing_has_no_time_line() -> None:
    assert timeline([]) is None
