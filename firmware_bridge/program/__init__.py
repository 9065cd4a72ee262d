"""The program itself: the signed list of its files, whether it is what that list says, and who has accepted it."""
