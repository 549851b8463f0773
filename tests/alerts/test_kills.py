"""kill -9 at every step of a round: each story reaches the receiver, with one key."""

from __future__ import annotations

import multiprocessing
import signal
from collections import Counter, defaultdict
from datetime import timedelta

from tests.support.dying_alerts import SENDING, round_in_child
from tests.support.receivers import receiving
from tests.support.store_records import in_loop
from tests.support.watched import NOW, collection, found, run
from topiccrawl.store.contract import PageRecord

#: Steps at which a round is killed: before and after each of those of the first stories, from the claim to the
#: mark "sent", and around the sending itself.
FATAL = (
    1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6, 7, -7, SENDING, -SENDING, 8, -SENDING, -SENDING, SENDING,
)  # fmt: skip


#: Forks from a process that has imported everything: 40 interpreters would take a minute.
FORKING = multiprocessing.get_context("forkserver")
FORKING.set_forkserver_preload(["tests.support.preloaded", "tests.support.dying_alerts"])


def one_round(*arguments: object) -> int | None:
    """Make a round in a process of its own; return its exit code."""
    process = FORKING.Process(target=round_in_child, args=arguments)
    process.start()
    process.join(60)
    return process.exitcode


def story(number: int) -> PageRecord:
    """A page that the rule is about."""
    return found(number, NOW + timedelta(minutes=10 * number), title=f"领事保护第{number}号")


def through_kills(uri: str, after_crash: str) -> tuple[Counter[str], dict[str, set[str]], int]:
    """Return how often each message was received, the keys of each story's messages, and the number of kills.

    Before each round a new story arrives; the clock goes on by ten minutes from round to round.
    """

    @in_loop
    async def write(number: int) -> None:
        async with collection(uri) as store:
            runs = [run(1, NOW, None, "")] if number == 0 else []
            await store.write(pages=[story(number)], runs=runs)

    with receiving() as receiver:
        killed = 0
        for number, fatal in enumerate(FATAL):
            write(number)
            code = one_round(uri, receiver.url, fatal, 10 * number + 1, after_crash)
            killed += code == -signal.SIGKILL
        for more in (1, 2):
            assert one_round(uri, receiver.url, 0, 10 * (len(FATAL) + more), after_crash) == 0
        messages = Counter(it.headers["Idempotency-Key"] for it in receiver.posted)
        keys: dict[str, set[str]] = defaultdict(set)
        for posted in receiver.posted:
            for alert in posted.value["alerts"]:
                keys[alert["subject"]].add(posted.headers["Idempotency-Key"])
    return messages, keys, killed


def test_through_20_kills_each_story_is_received_under_one_key(tmp_path: object) -> None:
    messages, keys, killed = through_kills(f"sqlite:///{tmp_path}/pages.sqlite", "repeat")
    assert killed == 20
    assert len(keys) == len(FATAL)
    assert all(len(it) == 1 for it in keys.values())
    # Only a process that died between sending and marking has its message repeated.
    assert 1 <= sum(messages.values()) - len(messages) <= FATAL.count(-SENDING) + 1


def test_a_channel_that_skips_gets_no_message_twice(tmp_path: object) -> None:
    messages, keys, killed = through_kills(f"sqlite:///{tmp_path}/pages.sqlite", "skip")
    assert killed == 20
    assert set(messages.values()) == {1}
    assert all(len(it) == 1 for it in keys.values())
    # A process that died between claiming the attempt and sending has its message lost.
    assert 0 < len(FATAL) - len(keys) < len(FATAL) / 2
