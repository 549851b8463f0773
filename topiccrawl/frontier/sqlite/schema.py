"""Tables of the SQLite frontier.

A link has one row in ``links`` from its first push on.  It holds what was offered, which is long, and
is written when the link is pushed and when it ends.  What changes while the link is open is short and
kept in exactly one of two other tables: ``waiting`` (queued, or delayed where ``until`` is set) or
``leases``.  A million links are therefore re-scored without touching their texts, and as ``waiting`` is
ordered by host, a transaction changes few pages.
"""

from __future__ import annotations

from typing import Final

#: Marks the file as a frontier (``PRAGMA application_id``): "tpcf" in ASCII.
APPLICATION_ID: Final = 0x74706366

#: Version of the tables (``PRAGMA user_version``); to be raised with every change of them.
FORMAT_VERSION: Final = 1

#: Bytes of a page.  Measured (2026-11, 50 links to random hosts in a commit): a commit took 19 µs of
#: CPU time for each link with 4096, 23 with 2048, 29 with 1024, 42 with 512.
PAGE_BYTES: Final = 4096

#: Values of ``links.closed``.
OPEN, DONE, GIVEN_UP = 0, 1, 2

#: Bits of ``flags``: was handed out before; came back from a lease and was not handed out since; a filter contains
#: it, as done or given up.
STARTED, BACK, WAS_DONE, WAS_GIVEN_UP = 1, 2, 4, 8

#: Columns that move with an open link from ``waiting`` to ``leases`` and back.
MOVING: Final = "host, ord, id, score, failures, returns, flags"

#: Tables and indexes without which a file is damaged.
OBJECTS: Final = frozenset(
    {"links", "waiting", "leases", "hosts", "counts", "workers", "filters", "journal"}
    | {"ids", "best", "due", "transfers", "heads", "moments"}
)

#: Statements that create them in an empty file.
CREATE: Final = (
    """CREATE TABLE links (
        ord INTEGER PRIMARY KEY,   -- order of the first push
        id INTEGER NOT NULL,
        host INTEGER NOT NULL,
        closed INTEGER NOT NULL DEFAULT 0,
        score REAL NOT NULL,       -- of the evidence; the last one once the link is closed
        depth INTEGER NOT NULL,
        url BLOB NOT NULL,
        why BLOB NOT NULL,         -- the rest of the evidence, JSON
        request BLOB,              -- JSON; NULL when empty or no longer needed
        reason BLOB
    )""",
    # With the host: where a link waits is found without reading its row.
    "CREATE INDEX ids ON links (id, host)",
    """CREATE TABLE waiting (
        host INTEGER NOT NULL,
        ord INTEGER NOT NULL,
        id INTEGER NOT NULL,
        score REAL NOT NULL,
        until REAL,                -- retry time of a delayed link
        failures INTEGER NOT NULL,
        returns INTEGER NOT NULL,
        flags INTEGER NOT NULL,
        PRIMARY KEY (host, ord)
    ) WITHOUT ROWID""",
    "CREATE INDEX best ON waiting (host, score DESC, ord) WHERE until IS NULL",
    "CREATE INDEX due ON waiting (until) WHERE until IS NOT NULL",
    """CREATE TABLE leases (
        ord INTEGER PRIMARY KEY,
        host INTEGER NOT NULL,
        id INTEGER NOT NULL,
        score REAL NOT NULL,
        until REAL NOT NULL,
        worker INTEGER NOT NULL,
        landed INTEGER NOT NULL,   -- the transfer is over
        failures INTEGER NOT NULL,
        returns INTEGER NOT NULL,
        flags INTEGER NOT NULL
    )""",
    "CREATE INDEX transfers ON leases (until) WHERE landed = 0",
    """CREATE TABLE hosts (
        n INTEGER PRIMARY KEY,
        name BLOB NOT NULL UNIQUE,
        best_score REAL,           -- of the best queued link, NULL without one
        best_ord INTEGER,
        shut INTEGER NOT NULL DEFAULT 0,  -- waits for ready_at, as of the last pop
        ready_at REAL NOT NULL DEFAULT -1e308,
        transfers INTEGER NOT NULL DEFAULT 0,
        delay REAL,
        started INTEGER NOT NULL DEFAULT 0,  -- different links handed out so far
        extra INTEGER NOT NULL DEFAULT 0     -- links added to the budget
    )""",
    """CREATE INDEX heads ON hosts (best_score DESC, best_ord)
        WHERE best_ord IS NOT NULL AND shut = 0""",
    "CREATE INDEX moments ON hosts (shut, ready_at) WHERE best_ord IS NOT NULL",
    """CREATE TABLE counts (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        queued INTEGER NOT NULL DEFAULT 0,
        delayed INTEGER NOT NULL DEFAULT 0,
        leased INTEGER NOT NULL DEFAULT 0,
        done INTEGER NOT NULL DEFAULT 0,
        given_up INTEGER NOT NULL DEFAULT 0,
        hosts INTEGER NOT NULL DEFAULT 0,
        forgotten INTEGER NOT NULL DEFAULT 0,
        exact INTEGER NOT NULL DEFAULT 0,     -- rows of closed links
        filters INTEGER NOT NULL DEFAULT 0,   -- number of the newest
        builder INTEGER,                      -- worker that builds the next one
        leader INTEGER,                       -- worker that ranks for all
        leader_at REAL
    )""",
    "INSERT INTO counts (one) VALUES (1)",
    """CREATE TABLE workers (
        n INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        token TEXT NOT NULL,       -- of its lock file
        beat REAL NOT NULL
    )""",
    """CREATE TABLE filters (
        n INTEGER PRIMARY KEY,
        upto INTEGER NOT NULL,     -- links up to this ord are in it, or were closed later
        cleared INTEGER NOT NULL,  -- up to this ord their rows are deleted
        data BLOB NOT NULL
    )""",
    "CREATE TABLE journal (n INTEGER PRIMARY KEY AUTOINCREMENT, worker INTEGER, entry BLOB)",
)

#: Created only with a size limit: it costs a write at every push and every new score.
CREATE_WORST: Final = "CREATE INDEX IF NOT EXISTS worst ON waiting (score, ord DESC)"
