"""Old segments, compressed; and which segments must stay at hand."""
