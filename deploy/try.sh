#!/bin/sh
# Tries truedeal on a machine that has only Python 3.11 or newer: installs it into .venv, then runs the simulated table
# with its robot dealer, until Ctrl-C on a terminal. Needs no device and no rights. Arguments go to `truedeal sim`.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/deploy/venv.sh"

venv_ready "$root/.venv" "$root/requirements.lock"
cd "$root"
exec "$venv/bin/truedeal" sim "$@"
