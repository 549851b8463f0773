"""The user's language, from the environment."""

from __future__ import annotations

import os
from typing import Literal

__all__ = ["Language", "user_language"]

Language = Literal["en", "zh"]

#: Variables that name the language, the strongest first, as in gettext.
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


def user_language() -> Language:
    """Return ``"zh"`` if the environment asks for Chinese (simplified or traditional), else ``"en"``.

    The first of :data:`VARIABLES` that is set decides, and in its list (``LANGUAGE=zh_CN:en``) the
    first language.
    """
    wanted = next(filter(None, map(os.environ.get, VARIABLES)), "")
    return "zh" if wanted.lower().startswith("zh") else "en"
