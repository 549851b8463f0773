"""``scrapy vocabulary TOPIC``: words that may belong to a topic, and the user's decisions about them."""

from __future__ import annotations

import argparse

from topiccrawl.commandline.command import Action, StoreCommand
from topiccrawl.language import N_, _


class Command(StoreCommand):
    """Proposes graded words and records which of them belong to the topic."""

    usage = "TOPIC [--texts PATH] [--decide | --accept WORD[=VALUE] | --refuse WORD | --list]"
    summary = N_("Propose words of a topic, and accept or refuse them")
    description = N_(
        "List words that may belong to the topic TOPIC, best first: word, proposed value, texts "
        "with it, probability. They come from the pages that crawls have kept, as against near "
        "misses and withdrawn pages, or from files. What you accept becomes a word of the topic, "
        "what you refuse is not proposed again, and both teach the order of the others. The "
        "decisions are lines of vocabulary.tsv in the topic's folder. Crawls use them from their "
        "next start. With --new-words, list the words that the dictionary of the segmenter lacks."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add = parser.add_argument
        add(
            "--texts", metavar="PATH",
            help=_("texts about the topic: a file, or a folder of .txt and .html files"),
        )  # fmt: skip
        add("--against", metavar="PATH", help=_("the same about other things, for comparison"))
        add("--limit", type=int, default=100, metavar="N", help=_("most words (100)"))
        add(
            "--accept", action="append", default=[], metavar="WORD[=VALUE]",
            help=_("accept a word, with a value in (0, 1] (default: 0.5)"),
        )  # fmt: skip
        add(
            "--refuse", action="append", default=[], metavar="WORD",
            help=_("refuse a word"),
        )  # fmt: skip
        add("--note", metavar="TEXT", default="", help=_("note in the file"))
        add("--decide", action="store_true", help=_("decide about the words on the terminal"))
        add("--list", action="store_true", dest="listing", help=_("list the decisions"))
        add(
            "--new-words", action="store_true",
            help=_("list words that are in no dictionary: word, occurrences, probability"),
        )  # fmt: skip

    def action(self) -> Action:
        from topiccrawl.actions.vocabulary import vocabulary

        return vocabulary
