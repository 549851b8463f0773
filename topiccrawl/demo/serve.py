"""``python -m topiccrawl.demo.serve``: serve the demonstration web until Ctrl-C.

The first line of output consists of the proxy's URL only, so that scripts can read it.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import signal
from collections.abc import Sequence

from topiccrawl.demo.web import DemoWeb
from topiccrawl.language import _
from topiccrawl.webserver.proxy import WebProxy


async def serve(proxy: WebProxy[DemoWeb]) -> None:
    """Serve until SIGINT or SIGTERM; print the URL of the proxy, the seeds and an example."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        # Windows event loops have no signal handlers; KeyboardInterrupt ends the run there.
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, stop.set)
    async with proxy:
        seeds = ",".join(proxy.web.seeds)
        print(proxy.url)
        print(
            _("{hosts} hosts, about {pages} pages. Seeds: {seeds}").format(
                hosts=len(proxy.web.hosts), pages=proxy.web.size, seeds=seeds
            )
        )
        print(
            f"http_proxy={proxy.url} no_proxy= "
            f"scrapy crawl topic -a topic=侨情 -a 'seeds={seeds}' -s DOWNLOAD_DELAY=0",
            flush=True,
        )
        await stop.wait()


def main(arguments: Sequence[str] | None = None) -> None:
    """Parse the command line and serve."""
    parser = argparse.ArgumentParser(prog="python -m topiccrawl.demo.serve", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 (default) takes a free port")
    parser.add_argument("--size", type=int, default=800, help="about how many pages, >= 100")
    parser.add_argument("--seed", type=int, default=7, help="chooses texts and links")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before every answer")
    parser.add_argument("--clean", action="store_true", help="no traps, no broken pages")
    options = parser.parse_args(arguments)
    web = DemoWeb(options.seed, options.size, hazards=not options.clean)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(
            serve(WebProxy(web, latency_seconds=options.latency, port=options.port, log_limit=1))
        )


if __name__ == "__main__":
    main()
