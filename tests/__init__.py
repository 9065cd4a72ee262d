"""The tests: folders that mirror the packages, and folders for what concerns all of them."""
