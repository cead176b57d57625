"""Setting pages: text, tables and pages of a PDF, drawn line by line, so that long packs take no more memory."""
