"""Free space of the disk that holds a store."""

from __future__ import annotations

import shutil
from datetime import datetime
from typing import TYPE_CHECKING

from topiccrawl.alerts.health import HealthSample, problems
from topiccrawl.alerts.rules import HealthRule
from topiccrawl.alerts.runs import health_alert
from topiccrawl.store.uri import sqlite_path

if TYPE_CHECKING:
    from pathlib import Path

    from topiccrawl.alerts.records import Alert
    from topiccrawl.alerts.settings import AlertSettings


def store_folder(uri: str) -> Path | None:
    """Return the folder of a SQLite store; ``None`` for another store, whose disk is elsewhere."""
    return sqlite_path(uri).absolute().parent if uri.startswith("sqlite://") else None


def free_bytes(folder: Path | None) -> int | None:
    """Return the free space of the disk of *folder*; ``None`` if it is not known."""
    try:
        return None if folder is None else shutil.disk_usage(folder).free
    except OSError:
        return None


def disk_alerts(topic: str, uri: str, settings: AlertSettings, now: datetime) -> list[Alert]:
    """Return the warning that the disk of the store is nearly full: one a day."""
    rules = settings.rules_of(HealthRule, topic)
    sample = HealthSample(at=now, disk_free=free_bytes(store_folder(uri)))
    for rule in rules:
        facts = problems(rule, [sample]).get("disk")
        if facts is not None:
            day = f"disk-{now:%Y-%m-%d}"
            return [health_alert(settings, topic, day, "disk", facts, now)]
    return []
