"""Fixtures of the tests with hostile pages."""

from __future__ import annotations

import pytest

from tests.support.page_items import run_of
from tests.support.whole_analysis import WholeAnalysis


@pytest.fixture(scope="module")
def analysis() -> WholeAnalysis:
    """Everything that a crawl computes of a page; what is loaded at the first page is loaded."""
    session, _ = run_of("侨情")
    analysis = WholeAnalysis(session)
    analysis("<title>侨批</title><p>侨乡的来信。".encode())
    return analysis
