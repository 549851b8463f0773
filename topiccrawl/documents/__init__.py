"""Texts of documents: PDF, Word, Excel, PowerPoint, OFD, RTF and plain text."""
