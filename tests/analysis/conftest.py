"""What the tests of the analysis share."""

from __future__ import annotations

import pytest

from topiccrawl.topics.load import find_definition
from topiccrawl.topics.topic import Topic


@pytest.fixture(scope="session")
def topic() -> Topic:
    """The topic 侨情, which is immutable."""
    return Topic.learn(find_definition("侨情"))
