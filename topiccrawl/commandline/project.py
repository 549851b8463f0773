"""The settings of the Scrapy project around the current folder, read without Scrapy."""

from __future__ import annotations

import os
import sys
from configparser import ConfigParser
from configparser import Error as ConfigParserError
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from topiccrawl.commandline.errors import WrongUsageError
from topiccrawl.errors import ConfigurationError, described
from topiccrawl.language import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scrapy.settings import BaseSettings, Settings

#: Settings outside of any project.
DEFAULT_MODULE: Final = "topiccrawl.settings"
#: Environment variables of Scrapy: the settings module, and the section of scrapy.cfg that names it.
_MODULE_VARIABLE: Final = "SCRAPY_SETTINGS_MODULE"
_PROJECT_VARIABLE: Final = "SCRAPY_PROJECT"


def enter_project() -> str:
    """Return the settings module, as Scrapy finds it, and make it the one of this process.

    It is that of ``SCRAPY_SETTINGS_MODULE``, of scrapy.cfg in this folder or one above, or of the user's or
    the machine's scrapy.cfg; else topiccrawl's own.  The project's folder can be imported from afterwards.
    """
    closest = _closest_config(Path.cwd())
    if closest is not None and str(closest.parent) not in sys.path:
        sys.path.append(str(closest.parent))
    if not (module := os.environ.get(_MODULE_VARIABLE, "")):
        module = _configured(closest) or DEFAULT_MODULE
        os.environ[_MODULE_VARIABLE] = module
    return module


def assigned_settings(words: Iterable[str]) -> dict[str, str]:
    """Return the settings of the options ``-s NAME=VALUE``."""
    found = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise WrongUsageError(_("-s takes NAME=VALUE, got {word!r}").format(word=word))
        found[name] = value
    return found


def light_settings(module: str, assigned: Mapping[str, str]) -> BaseSettings:
    """Return the settings of a module that sections of ours read, without importing Scrapy.

    Only ``get`` works: it is all that rules of texts and numbers use. Raises ``ConfigurationError`` if the
    module cannot be imported.
    """
    try:
        names = vars(import_module(module))
    except Exception as error:
        raise ConfigurationError(
            _("the settings module {module!r} cannot be imported: {error}").format(
                module=module, error=described(error)
            )
        ) from error
    return cast("BaseSettings", _LightSettings({**names, **assigned}))


def scrapy_settings(assigned: Mapping[str, str]) -> Settings:
    """Return the complete settings of the project that was entered, as ``scrapy`` has them."""
    # Not at module level: the commands that need no Scrapy do not wait for it.
    from scrapy.utils.project import get_project_settings

    settings = get_project_settings()
    settings.setdict(dict(assigned), priority="cmdline")
    return settings


class _LightSettings:
    """Settings by name."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values

    def get(self, name: str, default: Any = None) -> Any:
        """Return a setting; ``None`` counts as not set."""
        value = self._values.get(name)
        return default if value is None else value


def _closest_config(folder: Path) -> Path | None:
    for each in (folder, *folder.parents):
        if (path := each / "scrapy.cfg").is_file():
            return path
    return None


def _configured(closest: Path | None) -> str:
    """Return the settings module that the files scrapy.cfg name, later ones first."""
    base = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    files = [Path("/etc/scrapy.cfg"), Path(base) / "scrapy.cfg", Path("~/.scrapy.cfg"), closest]
    config = ConfigParser()
    try:
        config.read([path.expanduser() for path in files if path is not None], encoding="utf-8")
        return config.get("settings", os.environ.get(_PROJECT_VARIABLE, "default"), fallback="")
    except (ConfigParserError, UnicodeDecodeError, OSError, RuntimeError) as error:
        raise ConfigurationError(
            _("scrapy.cfg cannot be read: {error}").format(error=described(error))
        ) from error
