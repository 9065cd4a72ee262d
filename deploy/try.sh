#!/bin/sh
# Tries truedeal on a machine that has only Python 3.11 or newer: installs it into .venv, then runs the simulated table
# with its robot dealer, until Ctrl-C on a terminal. Needs no device and no rights. Arguments go to `truedeal sim`.
# With --floor first it installs what the floor needs too, and runs a whole floor with twenty simulated tables and its
# console; what follows goes to `truedeal floor`.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/deploy/venv.sh"

cd "$root"
if [ "${1-}" = --floor ]; then
    shift
    venv_ready "$root/.venv" "$root/deploy/requirements-floor.lock"
    exec "$venv/bin/truedeal" floor --demo 20 "$@"
fi
venv_ready "$root/.venv" "$root/requirements.lock"
exec "$venv/bin/truedeal" sim "$@"
