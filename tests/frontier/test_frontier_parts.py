"""Limits, factory, link identity, evidence as data, alarm and heartbeat."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy.settings import Settings

from tests.frontier.contract_suite import NOW, a_link, an_id, popped_paths
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.contract import FrontierSize, return_delay
from topiccrawl.frontier.factory import BackendError, OpenFrontier, find_backend, frontier_backend
from topiccrawl.frontier.memory.backend import MemoryBackend
from topiccrawl.frontier.memory.frontier import MemoryFrontier
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.frontier.paths import frontier_path
from topiccrawl.scheduling.alarm import Alarm
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.urls.identity import link_id

USUAL = replace(
    CrawlSettings.from_settings(Settings()),
    frontier_backend="memory",
    host_budget=0,
    host_concurrency=0,
    store_uri="sqlite:///data/store.db",
)


def config(**values: object) -> CrawlSettings:
    """Settings from which a frontier is opened."""
    return replace(USUAL, **values)


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"max_links": -1}, "max_links must be >= 0, got -1"),
        ({"host_budget": -1}, "host_budget must be >= 0, got -1"),
        ({"max_attempts": 0}, "max_attempts must be >= 1, got 0"),
        ({"lease_seconds": 0.0}, "lease_seconds must be > 0, got 0.0"),
        ({"lease_seconds": float("nan")}, "lease_seconds must be > 0, got nan"),
        ({"worker_seconds": 0.0}, "worker_seconds must be > 0, got 0.0"),
        ({"max_returns": -1}, "max_returns must be >= 0, got -1"),
        ({"host_concurrency": -1}, "host_concurrency must be >= 0, got -1"),
        ({"host_delay": -0.5}, "host_delay must be >= 0, got -0.5"),
    ],
)
def test_wrong_limits_are_named(values, named) -> None:
    with pytest.raises(ConfigurationError, match=named):
        FrontierLimits(**values)


def test_a_host_s_own_concurrency_goes_before_the_usual_one() -> None:
    limits = FrontierLimits(host_concurrency=8, host_concurrencies={"a.cn": 1, "b.cn": 0})
    assert [limits.concurrency(host) for host in ("a.cn", "b.cn", "c.cn")] == [1, 0, 8]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("frontier_max_links", 1),
        ("host_budget", 1),
        ("host_concurrency", 1),
        ("host_concurrencies", {"a.cn": 1}),
        ("host_delay", 2.0),
    ],
)
def test_the_factory_hands_each_limit_on(name: str, value: object) -> None:
    frontier = frontier_backend(config(**{name: value})).open("t").frontier
    frontier.push([a_link("1", 1.0), a_link("2", 2.0)])
    assert popped_paths(frontier) == ["2"]


def test_the_factory_hands_times_and_attempts_on() -> None:
    opened = frontier_backend(config(lease_seconds=7.0, retry_max_attempts=1)).open("t")
    frontier = opened.frontier
    frontier.push([a_link("1", 1.0)])
    lease = frontier.pop(frozenset(), NOW)
    assert lease is not None
    assert lease.expires_at == NOW + 7
    assert frontier.fail(lease.id, "x", NOW + 1) is False


def open_for_test(topic, limits, config, connect, *, fresh) -> OpenFrontier:
    """An opener of another project."""
    return OpenFrontier(MemoryFrontier(limits), lambda: 7.0, (OSError,))


class NotAnOpener:
    data = 1


def test_a_backend_may_be_the_dotted_path_of_an_opener() -> None:
    backend = frontier_backend(config(frontier_backend=f"{__name__}.open_for_test", host_budget=1))
    opened = backend.open("t")
    opened.frontier.push([a_link("1", 1.0), a_link("2", 2.0)])
    assert popped_paths(opened.frontier) == ["2"]  # the limits arrive
    assert opened.clock() == 7.0
    assert opened.failures == (OSError,)


class BackendForTest(MemoryBackend):
    """A backend of another project, whose one queue is its own."""

    local = False
    forgotten: ClassVar[list[str]] = []

    def keeps_queue(self) -> bool:
        return True

    def has_queue(self, topic: str) -> bool:
        return topic == "侨情"

    def forget(self, topic: str) -> None:
        self.forgotten.append(topic)


def test_a_backend_may_be_the_dotted_path_of_a_class_with_all_operations() -> None:
    backend = frontier_backend(config(frontier_backend=f"{__name__}.BackendForTest"))
    assert (backend.size("侨情"), backend.size("t")) == (FrontierSize(0, 0, 0, 0, 0, 0), None)
    backend.forget("侨情")
    assert BackendForTest.forgotten == ["侨情"]


def test_of_an_opener_no_more_is_known_than_that_it_may_have_queues() -> None:
    backend = frontier_backend(config(frontier_backend=f"{__name__}.open_for_test"))
    assert not backend.local
    assert backend.may_have_queue("t")
    assert backend.size("t") is None
    backend.check_erasable("t")
    backend.refuse_running("t")
    with pytest.raises(ConfigurationError, match="must be sqlite or redis to rebuild"):
        backend.rebuild("t", lambda frontier, old: None)


@pytest.mark.parametrize(
    ("backend", "reason"),
    [
        ("redis2", None),
        ("", None),
        (f"{__name__}.no_such_opener", AttributeError),
        ("no_such_package.opener", ImportError),
        ("..", ValueError),
        (f"{__name__}.NotAnOpener.data", None),
    ],
)
def test_a_wrong_backend_is_refused_with_the_known_names(backend: str, reason) -> None:
    with pytest.raises(BackendError, match="one of memory, redis, sqlite, or") as refused:
        find_backend(backend)
    assert repr(backend) in str(refused.value)
    if reason is None:
        assert refused.value.reason is None
    else:
        assert isinstance(refused.value.reason, reason)


def test_a_frontier_lies_beside_its_store_unless_it_has_a_folder_of_its_own() -> None:
    beside = frontier_path("侨情", config(store_uri="sqlite:///a/b/store.db"))
    assert beside.parent == Path("a/b")
    assert beside.name.startswith("侨情-")
    assert frontier_path("侨情", config(store_uri="sqlite:///c/store.db")).name == beside.name
    own = frontier_path("侨情", config(store_uri="sqlite:///a/b/store.db", frontier_dir="f"))
    assert own == Path("f") / beside.name


def test_topics_and_stores_that_look_alike_have_files_of_their_own() -> None:
    one = [
        frontier_path(topic, config(store_uri=store, frontier_dir="f")).name.lower()
        for topic in ("a b", "a_b", "a/b", "A b", "侨" * 60, "侨" * 61)
        for store in ("sqlite:///x.db", "sqlite:///y.db", "mongodb://127.0.0.1/x")
    ]
    assert len(set(one)) == len(one)


def test_a_password_in_the_store_s_address_does_not_change_the_file() -> None:
    stores = ("mongodb://u:old@127.0.0.1/x", "mongodb://u:new@127.0.0.1/x")
    assert len({frontier_path("t", config(store_uri=store)) for store in stores}) == 1


# -- identity and evidence -----------------------------------------------------------------------


def test_links_that_return_wait_twice_as_long_each_time_and_not_together() -> None:
    ids = [an_id(str(i)) for i in range(50)]
    assert [return_delay(ids[0], returns) for returns in (0, 1)] == [0.0, 0.0]
    second = [return_delay(id, 2) for id in ids]
    assert all(10 <= delay < 20 for delay in second)
    assert len(set(second)) == 50
    assert [return_delay(id, 5) for id in ids] == [8 * delay for delay in second]


def test_a_link_s_identity_is_stable_over_runs_and_fits_a_signed_64_bit_integer() -> None:
    # BLAKE2b with 8 bytes of digest, from `b2sum -l 64`.
    assert link_id("http://a.cn/") == int.from_bytes(
        bytes.fromhex("9b611ed683896a96"), "big", signed=True
    )


@given(
    st.builds(
        LinkEvidence,
        st.floats(allow_nan=False, allow_infinity=False),
        st.dictionaries(st.text(), st.floats(allow_nan=False, allow_infinity=False)),
        st.none() | st.text(),
        st.text(),
        st.integers(0, 99),
        st.text(),
    )
)
def test_evidence_survives_json(evidence: LinkEvidence) -> None:
    assert LinkEvidence.from_dict(json.loads(json.dumps(evidence.as_dict()))) == evidence
    reasons = json.loads(json.dumps(evidence.reasons))
    assert LinkEvidence.from_reasons(evidence.score, evidence.depth, reasons) == evidence


def test_evidence_of_an_earlier_version_has_no_context() -> None:
    read = LinkEvidence.from_reasons(0.5, 2, [{"rw": 0.5}, "http://a.example/", "华侨"])
    assert read == LinkEvidence(0.5, {"rw": 0.5}, "http://a.example/", "华侨", 2, "")


# -- alarm ---------------------------------------------------------------------------------------


class Timers:
    """An event loop's timers, moved by hand."""

    def __init__(self) -> None:
        self.now = 0.0
        self.calls: list[list] = []

    def call_later(self, delay, func):
        call = [self.now + delay, func]
        self.calls.append(call)
        return SimpleNamespace(cancel=lambda: call in self.calls and self.calls.remove(call))

    def advance(self, seconds: float) -> None:
        self.now += seconds
        for call in [call for call in self.calls if call[0] <= self.now]:
            self.calls.remove(call)
            call[1]()


@pytest.fixture
def timers() -> Timers:
    return Timers()


def test_the_alarm_rings_once_at_the_earliest_time_asked_for(timers) -> None:
    rung = []
    alarm = Alarm(lambda: rung.append(timers.now), timers.call_later, lambda: timers.now)
    for seconds in (5.0, 2.0, 3.0):
        alarm.ring_in(seconds)
    assert len(timers.calls) == 1
    timers.advance(2.0)
    assert rung == []  # a timer that fires a tick early must not find the host still waiting
    timers.advance(0.01)
    assert len(rung) == 1
    timers.advance(10)
    assert len(rung) == 1


def test_the_alarm_can_be_set_again_after_it_rang_and_after_it_was_canceled(timers) -> None:
    rung = []
    alarm = Alarm(lambda: rung.append(timers.now), timers.call_later, lambda: timers.now)
    alarm.ring_in(1.0)
    alarm.cancel()
    timers.advance(2.0)
    assert rung == []
    for _ in range(2):
        alarm.ring_in(1.0)
        timers.advance(2.0)
    assert len(rung) == 2


def test_a_crawl_that_stores_nothing_leaves_no_frontier_behind(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    opened = frontier_backend(config(frontier_backend="sqlite", store_uri="")).open("t")
    assert isinstance(opened.frontier, MemoryFrontier)
    assert list(tmp_path.iterdir()) == []
