# One image for crawl workers and for scrapyd; docker-compose.yml sets the command of each.
# 采集进程与 scrapyd 共用一个镜像。

FROM python:3.11-slim AS build
RUN python -m venv /opt/topiccrawl
WORKDIR /src
# Dependencies first: this layer is rebuilt only when they change.
COPY requirements.txt deploy/requirements-scrapyd.txt ./
RUN /opt/topiccrawl/bin/pip install --no-cache-dir -r requirements.txt -r requirements-scrapyd.txt
COPY pyproject.toml setup.py README.md ./
COPY topiccrawl topiccrawl
COPY seeds seeds
RUN /opt/topiccrawl/bin/pip install --no-cache-dir --no-deps .

FROM python:3.11-slim
RUN useradd --system --uid 10001 --create-home --home-dir /var/lib/topiccrawl topiccrawl
COPY --from=build /opt/topiccrawl /opt/topiccrawl
COPY deploy/scrapyd.conf /etc/scrapyd/scrapyd.conf
COPY deploy/scrapyd-image.conf /etc/scrapyd/conf.d/image.conf
# UTF-8 mode, because topics have Chinese names.  With the settings module of the cluster, REDIS_URL and
# TOPICCRAWL_STORE_URI come from the environment, everything else with -s NAME=VALUE.
ENV PATH=/opt/topiccrawl/bin:$PATH \
    PYTHONUTF8=1 \
    SCRAPY_SETTINGS_MODULE=topiccrawl.cluster.settings
USER topiccrawl
# The spool and a SQLite store, if one is used, are below this folder.
WORKDIR /var/lib/topiccrawl
VOLUME /var/lib/topiccrawl
CMD ["scrapy", "topics"]
