"""The phases of play, in order: betting, dealing, offers, decisions, the Dealer's hand, closing."""
