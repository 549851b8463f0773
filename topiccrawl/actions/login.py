"""``scrapy login``: try the logins of a topic, and print a line about each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.access.logging_in import log_in
from topiccrawl.access.verdicts import Outcome, Verdict
from topiccrawl.actions.downloading import Downloading, with_downloader
from topiccrawl.commandline.errors import WrongUsageError
from topiccrawl.commandline.store import topic_argument
from topiccrawl.crawl.logins.factory import logins_of
from topiccrawl.crawl.logins.messages import advice
from topiccrawl.crawl.logins.redaction import Redactor
from topiccrawl.crawl.logins.requests import fetch_with
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _, labeled
from topiccrawl.topics.load import find_definition

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import Settings

    from topiccrawl.access.login import Login


def login(args: list[str], opts: argparse.Namespace, settings: Settings) -> int:
    """Try the logins of a topic and return the exit code."""
    name = topic_argument(args, "login")
    if opts.test and opts.dry:
        raise WrongUsageError(_("give one of --test, --dry"))
    config = CrawlSettings.from_settings(settings)
    logins = logins_of(find_definition(name, word_is_known=True), config)
    if not logins:
        raise ConfigurationError(
            _(
                "topic {name!r} has no logins: write them into logins.toml in its folder, or name a"
                " file (-s TOPICCRAWL_LOGINS=FILE)"
            ).format(name=name)
        )
    if opts.dry:
        for each in logins:
            print(_("{login}: described, and its secrets are there").format(login=each.name))
        return 0
    redactor, verdicts = Redactor(), list[tuple[str, Verdict]]()

    async def try_all(download: Downloading) -> None:
        redactor.install()
        for each in logins:
            redactor.add([each.password.value], lasting=True)
            access, verdict = await log_in(each, fetch_with(download, each.name, redactor))
            redactor.add(access.jar.values(each.hosts))
            verdicts.append((redactor.clean(_line(each, verdict)), verdict))

    with_downloader(settings, try_all)
    redactor.remove()
    for line, _verdict in verdicts:
        print(line)
    return 0 if all(verdict.open for _line, verdict in verdicts) else 1


def _line(login: Login, verdict: Verdict) -> str:
    word = {
        Outcome.OPEN: _("ok"),
        Outcome.REFUSED: _("refused"),
        Outcome.CAPTCHA: _("captcha"),
        Outcome.NO_FORM: _("no form"),
        Outcome.OTHER_HOST: _("other host"),
        Outcome.UNREACHABLE: _("not reached"),
    }[verdict.outcome]
    if verdict.open:
        return labeled(login.name, word)
    return labeled(login.name, labeled(word, advice(login, verdict)))
