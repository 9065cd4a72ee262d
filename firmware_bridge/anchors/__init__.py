"""Anchors: where the signed head goes so that the table cannot take it back, and what they say at a start.

`targets` reads which there are, `lines` writes a head as a line, `senders` brings it to one target, `process` is
``truedeal anchor``, `status` tells how that process is. At a start `asking` has a child read the files (`reading`),
`register` compares what an anchor holds with the journal, and `anchoring` says what follows.
"""
