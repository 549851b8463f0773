"""Questions on the terminal before something is deleted."""

from __future__ import annotations

import sys
import unicodedata

_YES = ("y", "yes", "是")


def is_confirmed(question: str) -> bool:
    """Ask on the terminal; return whether the answer is yes.  The end of the input (Ctrl-D) is a no."""
    try:
        answer = input(question)
    except EOFError:
        print(file=sys.stderr)
        return False
    # Input methods for Chinese write full-width letters.
    return unicodedata.normalize("NFKC", answer).strip().lower() in _YES
