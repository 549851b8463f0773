"""A MongoDB user who may only read: commands that read work, those that write end before they begin."""

from __future__ import annotations

import pytest

from tests.support.command_line import run_command
from tests.support.forgetting import SIZE, fill, filled_queue, forget, queue_path, sizes
from tests.support.mongo_refusing import refusing_writes
from tests.support.mongo_server import MongoServer
from tests.support.store_records import TOPIC, page
from topiccrawl.commands.stories import Command as Stories
from topiccrawl.commands.vocabulary import Command as Vocabulary

pytestmark = pytest.mark.usefixtures("forgetting_project")

REFUSED = "user, password and rights must allow reading, writing and indexes in database 'db'"


def test_a_user_who_may_only_read_reads_and_half_deletes_nothing(
    killable_mongo: MongoServer, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = f"{killable_mongo.uri}/db"
    fill(whole)
    with refusing_writes(killable_mongo.uri) as address:
        uri = f"{address}/db"
        filled_queue(uri).close()
        assert run_command(Vocabulary(), [TOPIC], uri) == 0
        assert "返乡" in capsys.readouterr().out
        for command in (
            lambda: forget(uri, TOPIC, "--yes"),
            lambda: forget(uri, TOPIC, "--url", page(1).url, "--yes"),
            lambda: run_command(Stories(), [TOPIC, "--events", "--save"], uri),
        ):
            assert command() == 1
            assert REFUSED in capsys.readouterr().err
        assert queue_path(uri).exists()
    assert sizes(whole)[TOPIC] == SIZE
