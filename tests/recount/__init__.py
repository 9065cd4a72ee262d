"""An independent re-count of a round's money, written from the approved documents alone."""
