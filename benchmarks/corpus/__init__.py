"""Pages that the project owns, with what is on them: drawn from a seed in the templates of many kinds of site.

All texts (``texts/``) were written for this corpus and all sites are invented. The templates follow how such
sites are built, not what any extractor looks for; class names differ from site to site. Another seed
gives other sites of the same kinds: what was tuned on one can be judged on the next.
"""
