"""The report as one self-contained HTML document: its sections, charts, script and style sheet."""
