"""Which schemes can be fetched."""

from __future__ import annotations

from scrapy.settings import Settings

from topiccrawl.addon import TopicCrawlAddon

FTP = "scrapy.core.downloader.handlers.ftp.FTPDownloadHandler"


def active(**given: object) -> set[str]:
    """Schemes with a handler in a project with these settings."""
    settings = Settings()
    for name, value in given.items():
        settings.set(name, value, "project")
    TopicCrawlAddon().update_settings(settings)
    return {
        scheme for scheme, handler in settings.getwithbase("DOWNLOAD_HANDLERS").items() if handler
    }


def test_only_http_and_https_have_handlers() -> None:
    assert active() == {"http", "https"}


def test_a_project_adds_a_scheme() -> None:
    assert active(DOWNLOAD_HANDLERS={"ftp": FTP}) == {"http", "https", "ftp"}
    assert active(DOWNLOAD_HANDLERS=f'{{"ftp": "{FTP}"}}') == {"http", "https", "ftp"}
