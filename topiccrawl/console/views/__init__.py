"""The views: each module defines one :class:`~topiccrawl.console.sections.Section` as ``SECTION``."""
