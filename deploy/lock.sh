#!/bin/sh
# Rewrites the lock files from pyproject.toml. Needs `uv` on the PATH and a network.
#
# 1. The runtime lock comes first and binds the others, so that all agree on every package they share: tests/run.sh and
#    deploy/try.sh use one virtual environment in turn.
# 2. The floor's lock is for the centre and for the shipper at a table. It also binds the lock of the tests.
# 3. A lock's present pins are kept where they still fit; `sh deploy/lock.sh --upgrade` takes the newest instead.
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
lock deploy/requirements-floor.lock --extra console --extra floor --constraint requirements.lock "$@"
lock tests/requirements-dev.lock --extra console --extra floor --extra test --constraint requirements.lock \
    --constraint deploy/requirements-floor.lock "$@"
lock tests/requirements-bench.lock --extra console --extra bench --constraint requirements.lock "$@"
