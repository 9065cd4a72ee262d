"""The commands of the command line, each a module with `add(commands)`, and what they share.

`play` and `reference` need no daemon; `checking` and `pin` help to set one up; `observe`, `speak`, `doctor` and
`bundle` talk to one over its control socket; `sniff` listens to a device.
"""
