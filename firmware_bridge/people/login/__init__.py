"""PINs: which are good, how they are checked, and who must wait after wrong ones."""
