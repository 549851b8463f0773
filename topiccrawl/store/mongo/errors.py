"""Classification of MongoDB's errors: backend unavailable, or document refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from bson.errors import BSONError
from pymongo import errors

from topiccrawl.store.contract import RecordRejected, StoreUnavailable

#: Server codes about the server's state and not the document: unreachable, stepping down, shutting
#: down, timed out, not (or no longer) authorized, read-only, out of disk.
#: https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml
AWAY_CODES: Final = frozenset(
    {6, 7, 13, 18, 24, 50, 64, 89, 91, 100, 112, 133, 134, 189, 202, 216, 262, 317, 391}
    | {9001, 10058, 10107, 11600, 11602, 13388, 13435, 13436, 14031, 20250}
)


def brief(error: Exception) -> str:
    """Return the message of *error* without the description of the whole topology."""
    return str(error).partition(", Timeout:")[0].partition(", full error:")[0][:300]


@contextmanager
def translated(address: str, *, reading: bool = False) -> Iterator[None]:
    """Turn pymongo's errors into the two of the contract, with *address* in their messages."""
    try:
        yield
    except errors.BulkWriteError as error:
        raise _bulk(address, error) from error
    except errors.OperationFailure as error:
        away = (
            reading
            or error.code in AWAY_CODES
            or isinstance(error, errors.WriteConcernError)
            or _temporary(error)
        )
        raise (StoreUnavailable if away else RecordRejected)(
            f"{address}: {brief(error)} (code {error.code})"
        ) from error
    except (errors.InvalidOperation, errors.ConfigurationError):
        # Mistakes in this program, which retries must not hide.
        raise
    except errors.PyMongoError as error:
        raise StoreUnavailable(f"{address}: {brief(error)}") from error
    except (BSONError, OverflowError, UnicodeError) as error:
        raise RecordRejected(f"{address}: {error}") from error


def _temporary(error: errors.PyMongoError) -> bool:
    return error.has_error_label("RetryableWriteError") or error.has_error_label(
        "TransientTransactionError"
    )


def _bulk(address: str, error: errors.BulkWriteError) -> Exception:
    details = error.details
    problems = details.get("writeErrors") or []
    refused = [problem for problem in problems if problem.get("code") not in AWAY_CODES]
    if refused and len(refused) == len(problems):
        first = refused[0]
        return RecordRejected(
            f"{address}: {len(refused)} refused, the first because of "
            f"{str(first.get('errmsg'))[:300]} (code {first.get('code')})"
        )
    return StoreUnavailable(f"{address}: {(problems or details.get('writeConcernErrors'))!s:.300}")
