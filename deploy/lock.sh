#!/bin/sh
# Writes the lock files anew from pyproject.toml. Needs `uv` on the PATH and a network.
#
# The runtime lock comes first and binds the other two, so that all three agree on every package they share:
# tests/run.sh and deploy/try.sh use one virtual environment in turn. A lock's present pins are kept where they still
# fit; `sh deploy/lock.sh --upgrade` takes the newest instead.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"

# lock FILE ARGUMENT...: compile pyproject.toml into FILE, for every platform and Python from 3.11 on.
lock() {
    file=$1
    shift
    UV_CUSTOM_COMPILE_COMMAND='sh deploy/lock.sh' \
        uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
        --no-emit-find-links --group build --output-file "$file" "$@" pyproject.toml >/dev/null
}

lock requirements.lock --extra console "$@"
lock tests/requirements-dev.lock --extra console --extra test --constraint requirements.lock "$@"
lock tests/requirements-bench.lock --extra console --extra bench --constraint requirements.lock "$@"
