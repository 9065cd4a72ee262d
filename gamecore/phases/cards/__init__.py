"""Where cards come from and go to, in every phase of play: shoe, layout, hands; sensed or told."""
