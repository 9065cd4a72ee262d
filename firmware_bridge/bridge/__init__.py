"""Between the devices and the game: messages become events, the state of the table becomes lamps, text and a lock."""
