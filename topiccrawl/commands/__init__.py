"""Scrapy commands of the project."""
