"""Parts that the Scrapy commands share: error messages, exit codes, store access, progress bars.

Scrapy registers every command class that it finds in ``topiccrawl.commands``, so base classes of
commands must be defined elsewhere.
"""
