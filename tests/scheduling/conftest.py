"""Fixtures of the tests of the scheduler."""

from __future__ import annotations

import pytest

from tests.support.scheduler_setup import SchedulerSetup


@pytest.fixture
def setup() -> SchedulerSetup:
    return SchedulerSetup()
