"""A demonstration web made by the project itself, and the loopback proxy that serves it."""

from __future__ import annotations

from topiccrawl.demo.truth import Truth
from topiccrawl.demo.web import DemoWeb
from topiccrawl.webserver.answers import Answer

__all__ = ["Answer", "DemoWeb", "Truth"]
