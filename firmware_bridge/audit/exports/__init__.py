"""What the audit writes for other programs and for paper: CSV, JSON lines, deal notation, affected rounds."""
