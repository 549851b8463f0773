"""A demonstration web made by the project itself, and the loopback proxy that serves it."""

from __future__ import annotations

from topiccrawl.demo.answers import Answer
from topiccrawl.demo.truth import Truth
from topiccrawl.demo.web import DemoWeb

__all__ = ["Answer", "DemoWeb", "Truth"]
