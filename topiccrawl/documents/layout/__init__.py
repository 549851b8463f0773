"""From lines on pages to paragraphs: columns, running headers, wrapped lines, the title."""
