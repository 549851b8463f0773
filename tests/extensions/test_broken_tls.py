"""A server that breaks TLS leaves a line in the log, not a traceback."""

from __future__ import annotations

import logging

import pytest
from OpenSSL.SSL import ZeroReturnError
from twisted.protocols import tls

from topiccrawl.extensions.brokentls import BROKEN_TLS


@pytest.fixture
def twisted() -> logging.Logger:
    logger = logging.getLogger("twisted.filtered")
    logger.addFilter(BROKEN_TLS)
    return logger


def test_an_error_inside_twisteds_tls_is_one_line(
    twisted: logging.Logger, caplog: pytest.LogCaptureFixture
) -> None:
    try:
        tls._representsEOF(ZeroReturnError())
    except IndexError:
        twisted.critical("", exc_info=True)
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert record.getMessage().startswith("A server broke TLS: IndexError")
    assert record.exc_info is None


def test_all_other_errors_keep_their_traceback(
    twisted: logging.Logger, caplog: pytest.LogCaptureFixture
) -> None:
    try:
        [].pop()
    except IndexError:
        twisted.critical("Unhandled error in Deferred", exc_info=True)
    (record,) = caplog.records
    assert record.levelname == "CRITICAL"
    assert record.exc_info is not None
