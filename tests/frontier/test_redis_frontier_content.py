"""The Redis frontier: formats, what is kept on the server, long queues, several workers."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest
import redis

from tests.support.redis_server import RedisServer
from tests.support.redis_support import NOW, ManualClock, dump, link, needs_redis, paths
from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.contract import FrontierSize, PushResult, QueuedLink
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.frontier.redis.frontier import RedisFrontier
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.urls.identity import link_id

pytestmark = needs_redis


# -- what is kept ----------------------------------------------------------------------------------


def test_a_format_of_another_version_is_refused_and_left_alone(client: redis.Redis) -> None:
    RedisFrontier(client, "t").push([link("1")])
    client.hset("{topiccrawl:t}:meta", "format", "99")
    before = dump(client)
    with pytest.raises(ConfigurationError, match=r"\{topiccrawl:t\}:meta.* must be 1, got '99'"):
        RedisFrontier(client, "t")
    assert dump(client) == before


def test_nothing_on_the_server_is_pickled(client: redis.Redis) -> None:
    frontier = RedisFrontier(client, "t", FrontierLimits(max_links=9))
    request = {"meta": {"名": [1, None, True]}, "headers": {"X": ["1"]}, "callback": "parse"}
    evidence = LinkEvidence(0.5, {"tih": 0.25}, "http://a.cn/", "侨务", 2)
    frontier.push([QueuedLink(f"http://a.cn/{i}", "a.cn", evidence, request) for i in range(3)])
    lease = frontier.pop((), NOW)
    assert lease is not None
    frontier.journal.append([b"x"])
    values = [client.dump(key) for key in client.keys("*")]
    for value in values:
        assert value is not None
        for opcode in (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05", b"csrc", b"__reduce"):
            assert opcode not in value
    record = client.hget("{topiccrawl:t}:links", lease.id.to_bytes(8, "big", signed=True))
    assert isinstance(record, bytes)
    assert b'["http://a.cn/0",{"meta":{' in record


@pytest.mark.parametrize(
    "damage",
    [
        lambda record: record[:20],
        lambda record: b"",
        lambda record: b"x" + record[1:],  # a state that there is none of
        lambda record: record.replace(b'["http', b'{"http'),
        lambda record: record.replace(b'["http://a.cn/', b'[5,"http:'),
        lambda record: record.replace(b'{"tih":1}', b'["tih",1]'),
        None,
    ],
    ids=["cut", "empty", "state", "no JSON", "three values", "parts", "missing"],
)
def test_links_that_cannot_be_read_are_given_up_and_the_others_are_handed_out(
    client: redis.Redis, damage: Callable[[bytes], bytes] | None
) -> None:
    frontier = RedisFrontier(client, "t")
    links = [
        QueuedLink(f"http://a.cn/{n}", "a.cn", LinkEvidence(9.0 - n, {"tih": 1})) for n in range(4)
    ]
    frontier.push(links)
    for link_ in (links[0], links[2]):
        key = link_.id.to_bytes(8, "big", signed=True)
        record = client.hget("{topiccrawl:t}:links", key)
        assert isinstance(record, bytes)
        if damage is None:
            client.hdel("{topiccrawl:t}:links", key)
        else:
            assert damage(record) != record
            client.hset("{topiccrawl:t}:links", key, damage(record))
    assert [each.url for each in frontier.best(9)] == [links[1].url, links[3].url]
    assert paths(frontier) == ["1", "3"]
    assert frontier.size() == FrontierSize(0, 0, 2, 0, 2, 0)
    assert str(frontier.reason(links[0].id)).startswith("unreadable record")


def test_awkward_links_come_back_as_they_were(client: redis.Redis) -> None:
    frontier = RedisFrontier(client, "t")
    links = [
        QueuedLink(
            f"http://a.cn/{name}", host, LinkEvidence(score, {"x": 1e-300}, None, "\x00\n'\"", 7)
        )
        for score, (name, host) in enumerate(
            [("\udcff", "\udcff.cn"), ("侨情", "中国.cn"), ("\x00", "a\x00b"), ("e", "")]
        )
    ]
    frontier.push(links)
    assert list(frontier.best(9)) == links[::-1]
    found = [frontier.pop({"中国.cn"}, NOW) for _ in range(4)]
    assert [lease and lease.link for lease in found] == [links[3], links[2], links[0], None]


def test_scores_keep_their_last_bit(client: redis.Redis) -> None:
    frontier = RedisFrontier(client, "t")
    scores = [*np.random.default_rng(1).normal(size=500), 5e-324, -1e308, 1 / 3, 0.0]
    frontier.push([link(str(i), float(score)) for i, score in enumerate(scores)])
    assert [found.evidence.score for found in frontier.best(999)] == sorted(scores, reverse=True)
    leases = [frontier.pop((), NOW) for _ in scores]
    assert [lease.link.evidence.score for lease in leases if lease] == sorted(scores, reverse=True)


# -- many links ------------------------------------------------------------------------------------


def test_long_queues_are_walked_whole_once_and_in_the_same_order(client: redis.Redis) -> None:
    runs = []
    for topic in "ab":
        frontier = RedisFrontier(client, topic)
        links = [link(str(i), i % 97, f"{i % 7 if i % 3 else 0}.cn") for i in range(5000)]
        frontier.push(links)
        pieces = [ids.tolist() for ids, _ in frontier.queued(300)]
        assert all(0 < len(piece) <= 300 for piece in pieces)
        runs.append([id for piece in pieces for id in piece])
        assert sorted(runs[-1]) == sorted(link.id for link in links)
        assert frontier.best(700).__class__ is not list
        ranked = sorted(links, key=lambda link: -link.evidence.score)
        assert [link.url for link in frontier.best(700)] == [link.url for link in ranked[:700]]
    assert runs[0] == runs[1]


def test_a_budget_that_ends_forgets_a_long_queue(client: redis.Redis) -> None:
    frontier = RedisFrontier(client, "t", FrontierLimits(host_budget=2))
    frontier.push([link(str(i), -i) for i in range(2000)])
    assert paths(frontier) == ["0", "1"]
    assert (frontier.size().forgotten, frontier.size().queued) == (1998, 0)
    assert frontier.known([link("0").id, link("5").id]) == [True, False]


def test_a_sweep_that_its_worker_did_not_finish_is_finished_by_another(client: redis.Redis) -> None:
    frontier = RedisFrontier(client, "t", FrontierLimits(host_budget=1))
    frontier.push([link(str(i), -i) for i in range(2000)])
    frontier._sweep = lambda host: None  # type: ignore[method-assign]
    assert frontier.pop((), NOW) is not None
    assert frontier.pop((), NOW) is None
    other = RedisFrontier(client, "t", FrontierLimits(host_budget=1))
    other.reap(NOW)
    assert (other.size().forgotten, other.size().queued) == (1999, 0)


def test_old_links_go_to_bitmaps_and_stay_known(client: redis.Redis) -> None:
    frontier = RedisFrontier(client, "t", exact_links=100)
    links = [link(str(i)) for i in range(1000)]
    frontier.push(links)
    while leases := [lease for _ in range(50) if (lease := frontier.pop((), NOW))]:
        frontier.ack([lease.id for lease in leases])
    assert sum(client.hlen(key) for key in client.keys("*:s:*")) == 100
    assert len(client.keys("*:bloom:*")) == 1
    assert all(frontier.known([each.id for each in links]))
    assert frontier.push(links) == [PushResult.SEEN] * 1000
    strangers = [link_id(f"http://b.cn/{i}") for i in range(20_000)]
    assert sum(frontier.known(strangers)) == 0
    assert frontier.size().done == 1000
    assert frontier.push([link("0")], again=True) == [PushResult.NEW]
    assert (frontier.size().done, frontier.size().queued) == (999, 1)


def test_links_in_bitmaps_leave_the_count_that_includes_them(client: redis.Redis) -> None:
    frontier = RedisFrontier(client, "t", exact_links=100)
    links = [link(str(i)) for i in range(600)]
    frontier.mark_ended(links[:200], given_up=True)
    frontier.mark_ended(links[200:])
    assert sum(client.hlen(key) for key in client.keys("*:s:*")) == 100
    assert frontier.mark_ended(links) == 0
    frontier.push(links[:200], again=True)
    assert (frontier.size().given_up, frontier.size().done) == (0, 400)
    frontier.push(links[200:], again=True)
    assert (frontier.size().given_up, frontier.size().done) == (0, 0)


@pytest.mark.parametrize("given_up", [False, True])
def test_a_link_of_a_bitmap_that_is_queued_again_and_forgotten_counts_as_ended_again(
    client: redis.Redis, given_up: bool
) -> None:
    frontier = RedisFrontier(client, "t", exact_links=100)
    links = [link(str(i)) for i in range(300)]
    frontier.mark_ended(links, given_up=given_up)
    before = frontier.size()
    for _time in range(3):
        assert frontier.push(links[:2], again=True) == [PushResult.NEW] * 2
        assert frontier.pop((), NOW) is not None
        frontier.fail(links[0].id, "503", NOW + 60.0)
        assert frontier.forget([it.id for it in links[:2]]) == 2
        assert frontier.size() == before
    assert frontier.push(links[:2]) == [PushResult.SEEN] * 2


def test_a_given_up_link_of_a_bitmap_that_is_fetched_later_is_done(client: redis.Redis) -> None:
    frontier = RedisFrontier(client, "t", exact_links=100)
    one = link("one")
    frontier.mark_ended([one], given_up=True)
    frontier.mark_ended([link(f"other/{i}") for i in range(200)])
    for time, given_up in enumerate((False, True, False)):
        frontier.push([one], again=True)
        lease = frontier.pop((), NOW)
        assert lease is not None
        if given_up:
            frontier.fail(lease.id, "404", None)
        else:
            frontier.ack([lease.id])
        frontier.mark_ended([link(f"later/{time}/{i}") for i in range(200)])
        size = frontier.size()
        frontier.push([one], again=True)
        now = frontier.size()
        assert (size.given_up - now.given_up, size.done - now.done) == (given_up, not given_up)
        frontier.forget([one.id])
        assert frontier.size() == size


def test_a_bitmap_keeps_to_its_error_rate_when_full(client: redis.Redis) -> None:
    frontier = RedisFrontier(client, "t", exact_links=2000)
    # As if it were made for 2,000 links, not 100,000: the same share of bits, in a shorter test.
    client.hset("{topiccrawl:t}:meta", mapping={"layers": 1, "bits:1": 57_520})
    done = [link(str(i)) for i in range(4000)]
    frontier.push(done)
    while lease := frontier.pop((), NOW):
        frontier.ack([lease.id])
    (bitmap,) = client.keys("*:bloom:*")
    share = client.bitcount(bitmap) / 57_520
    # Half of the bits set, twenty probes: 2^-20, about 1e-6.
    assert share == pytest.approx(0.5, abs=0.01)


# -- workers ---------------------------------------------------------------------------------------

_WORKER = """
import sys, redis
from topiccrawl.frontier.redis.frontier import RedisFrontier
frontier = RedisFrontier(redis.Redis.from_url(sys.argv[1]), "t")
misses = 0
while misses < 3:
    lease = frontier.pop((), 1000.0)
    if lease is None:
        misses += 1
        continue
    print(lease.id, flush=True)
    frontier.ack([lease.id])
frontier.close()
"""


def test_processes_that_pop_at_once_share_the_links_among_them(
    server: RedisServer, client: redis.Redis
) -> None:
    frontier = RedisFrontier(client, "t")
    links = [link(str(i), i % 11, f"{i % 20}.cn") for i in range(1500)]
    frontier.push(links)
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", _WORKER, server.url],
            stdout=subprocess.PIPE,
            text=True,
            env={"PYTHONPATH": ":".join(sys.path)},
        )
        for _ in range(3)
    ]
    popped = [list(map(int, worker.communicate()[0].split())) for worker in workers]
    together = [id for ids in popped for id in ids]
    assert len(together) == len(set(together))
    assert set(together) == {each.id for each in links}
    assert frontier.size().done == 1500


def test_a_worker_that_starts_again_under_its_name_gets_its_links_back(client: redis.Redis) -> None:
    first = RedisFrontier(client, "t", worker="w1")
    first.push([link("1")])
    assert first.pop((), NOW) is not None
    again = RedisFrontier(client, "t", worker="w1")
    assert paths(again) == ["1"]
    assert again.size().elsewhere == 0


def test_clocks_that_differ_agree_on_the_server_s(server: RedisServer) -> None:
    clocks = [ManualClock(), ManualClock()]
    clocks[1].now += 3600.0
    frontiers = [RedisFrontier(server.client(), "clocks", clock=clock) for clock in clocks]
    times = [frontier.clock() for frontier in frontiers]
    assert times[0] == pytest.approx(times[1], abs=60)
    clocks[0].now += 100.0
    assert frontiers[0].clock() == pytest.approx(times[0] + 100.0)


def test_a_size_limit_that_is_new_to_a_frontier_finds_its_worst_links(client: redis.Redis) -> None:
    RedisFrontier(client, "t").push([link(str(i), i) for i in range(5)])
    frontier = RedisFrontier(client, "t", FrontierLimits(max_links=5))
    assert frontier.push([link("9", 9.0), link("bad", -1.0)]) == [
        PushResult.NEW,
        PushResult.REFUSED,
    ]
    assert paths(frontier) == ["9", "4", "3", "2", "1"]


def test_a_journal_may_be_kept_short(client: redis.Redis) -> None:
    frontier = RedisFrontier(client, "t", journal_entries=100)
    for start in range(0, 1000, 50):
        frontier.journal.append([b"%d" % i for i in range(start, start + 50)])
    entries = RedisFrontier(client, "t").journal.read_new(2000)
    assert 100 <= len(entries) < 400
    assert entries[-1] == b"999"
