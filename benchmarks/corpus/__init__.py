"""The project's own corpus of pages with ground truth, drawn from a seed in templates of many kinds of site.

All texts (``texts/``) were written for this corpus and all sites are invented. The templates follow how such
sites are built, not what any extractor searches for; class names differ from site to site. Another seed
yields other sites of the same kinds, so an extractor tuned on one seed can be evaluated on another.
"""
