#!/bin/sh
# Tries truedeal on a machine that has only Python 3.11 or newer: installs it into .venv, then deals one round of each
# game from deploy/demo. Needs no device and no rights.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/deploy/venv.sh"

venv_ready "$root/.venv" "$root/requirements.lock"
cd "$root"
exec "$venv/bin/truedeal" play deploy/demo
