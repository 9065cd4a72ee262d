"""The people at the table: their roles and PINs, what each may say, and the alarms that one of them must clear."""
