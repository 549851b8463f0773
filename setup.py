"""What pyproject.toml cannot express: `seeds/` lies beside the package and is installed inside it.

In an installed package or a scrapyd egg the topics are `topiccrawl._seeds` (read through
importlib.resources, so that a zipped egg works too); in a checkout they are the folder `seeds/`.
"""

from setuptools import find_packages, setup

setup(
    # As a string, pyproject.toml may state it from setuptools 77 on only, and as a table until February 2027;
    # `scrapyd-deploy` builds with the setuptools of its environment (65 in one of Python 3.11).
    license="MIT",
    packages=[*find_packages(include=["topiccrawl", "topiccrawl.*"]), "topiccrawl._seeds"],
    package_dir={"topiccrawl._seeds": "seeds"},
    package_data={
        "topiccrawl": ["py.typed", "**/data/*", "**/lua/*", "locale/**/*.mo"],
        "topiccrawl.console": ["static/*", "templates/**/*"],
        "topiccrawl._seeds": ["**/*"],
    },
    # scrapyd finds the settings of a deployed egg through this entry point.
    entry_points={
        "scrapy": ["settings = topiccrawl.settings"],
        "console_scripts": ["topiccrawl = topiccrawl.__main__:main"],
    },
)
