"""A generated demonstration web with known ground truth."""

from __future__ import annotations

from topiccrawl.demo.truth import Truth
from topiccrawl.demo.web import DemoWeb

__all__ = ["DemoWeb", "Truth"]
