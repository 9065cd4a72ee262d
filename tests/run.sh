#!/bin/sh
# Installs what the tests need, then runs lint, types, import contracts and all tests. The first failure ends it.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/deploy/venv.sh"
. "$root/tests/debian.sh"
. "$root/tests/page_tools.sh"

usage() {
    cat <<'TEXT'
usage: sh tests/run.sh [--quick | --soak | --bench | --help]

  (nothing)  lint, format, types, import contracts, tests
  --quick    the same without the tests that start processes or take long: under two minutes, for while you write
  --soak     everything, with the tests that take minutes (marked soak); then the share of the code that the tests enter
  --bench    only the benchmarks, in an environment of their own (.venv-bench); the page in that of the tests
  --help     this text

TMPDIR=FOLDER is where the files of the tests lie; in memory otherwise, if there is room, and gone at the end.
TRUEDEAL_SEED=N repeats the chance of an earlier run: the tests print the seed at their start.
TRUEDEAL_TABLES=N sets at how many random tables the properties of the core are watched, 200000 in the soak.
TRUEDEAL_REPLUGS=N, TRUEDEAL_FRAMES=N, TRUEDEAL_KILLS=N, TRUEDEAL_CRASHES=N, TRUEDEAL_TAMPERINGS=N and TRUEDEAL_HOURS=N
set how often devices are unplugged, frames damaged, the daemon killed, its disk cut off, its journal tampered with, and
how long a simulated table runs. TRUEDEAL_PAIRS=N sets how many pairs of irregularities the sample has,
TRUEDEAL_PAIRS_ROUNDS=N how often the soak tests play each of them all. TRUEDEAL_FLOOR_FAULTS=N sets how many faults hit the
floor. TRUEDEAL_SHOES=N sets how many properly shuffled shoes the soak looks at, 1000000 otherwise.
TRUEDEAL_CORE=pure runs everything in pure Python, without the compiled core. TRUEDEAL_ROUNDS=N sets how many random
rounds both are compared in, 100000 in the soak.
PYTHON=name chooses the Python that makes the environment; python3 otherwise.
TEXT
}

# step NAME COMMAND...
step() {
    name=$1
    shift
    printf '== %s\n' "$name"
    "$@" || die "$name failed"
}

# use_caches: one folder for the caches of every tool, one for each user: a cache that root has left behind stops the
# tools of the next user. A tree that may not be written gets a temporary one.
use_caches() {
    caches=$root/.cache/$(id -u)
    if ! mkdir -p "$caches" 2>/dev/null || [ ! -w "$caches" ]; then
        caches=$(mktemp -d)
        passing=$caches
    fi
    export RUFF_CACHE_DIR="$caches/ruff" MYPY_CACHE_DIR="$caches/mypy" PYTHONPYCACHEPREFIX="$caches/pycache"
    export HYPOTHESIS_STORAGE_DIRECTORY="$caches/hypothesis"
    # Who keeps bytecode out of their trees has it here: the tests start some thousand processes, and each would compile
    # all that it imports.
    unset PYTHONDONTWRITEBYTECODE
}

# use_memory: the files of the tests lie in memory where there is room: a journal waits for the disk at every event. Their
# paths are short, since sockets lie there too.
use_memory() {
    [ -z "${TMPDIR-}" ] && [ -w /dev/shm ] || return 0
    [ "$(df -Pk /dev/shm | awk 'NR == 2 { print $4 }')" -ge "$room" ] || return 0
    TMPDIR=$(mktemp -d /dev/shm/td.XXXXXX)
    export TMPDIR
    passing="$passing $TMPDIR"
    place="--basetemp $TMPDIR/t"
}

passing= # folders that end with this run
room=4000000 # KB
place=
# shellcheck disable=SC2086  # a list of folders
trap 'rm -rf $passing' EXIT
trap 'exit 1' HUP INT TERM

mode=tests
case ${1-} in
    '') ;;
    --quick) mode=quick ;;
    --soak) mode=soak ;;
    --bench) mode=bench ;;
    --help | -h)
        usage
        exit 0
        ;;
    *)
        usage >&2
        exit 2
        ;;
esac
if [ $# -gt 1 ]; then
    usage >&2
    exit 2
fi

cd "$root"
use_caches

if [ $mode = bench ]; then
    venv_ready "$root/.venv" "$root/tests/requirements-dev.lock"
    core_ready
    venv_ready "$root/.venv-bench" "$root/tests/requirements-bench.lock"
    step "hands a second" "$venv/bin/python" -m tests.bench
    step "unshuffled cards" "$venv/bin/python" -m tests.bench.shuffle_power
    step "fair shoes" "$venv/bin/python" -m tests.bench.fair_shoes --shoes 15000 --seed 1
    step "frame to event" "$venv/bin/python" -m tests.bench.frames
    step "by hand or by library" "$venv/bin/python" -m tests.bench.libraries
    step "idle wakeups" "$venv/bin/python" -m tests.bench.idle
    step "card to ruling" "$venv/bin/python" -m tests.bench.daemon
    step "card to ruling beside attackers" "$venv/bin/python" -m tests.bench.hostile
    step "card to ruling beside browsers" "$venv/bin/python" -m tests.bench.console
    debian_packages
    venv_ready "$root/.venv" "$root/tests/requirements-dev.lock"
    step "the page" "$venv/bin/python" -m tests.bench.page
    exit 0
fi

if [ $mode != quick ]; then
    debian_packages
    page_tools "$caches"
fi
venv_ready "$root/.venv" "$root/tests/requirements-dev.lock"
bin=$venv/bin
[ $mode = soak ] || use_memory # the soak writes journals of hours
# One worker more than cores: tests of devices and disks wait a good part of their time.
workers=$(($(getconf _NPROCESSORS_ONLN) + 1))

step lint "$bin/ruff" check --quiet .
step format "$bin/ruff" format --check --quiet .
step types "$bin/mypy" --strict
step 'import contracts' "$bin/lint-imports" --no-logo --cache-dir "$caches/import-linter"
[ $mode = quick ] || step 'compiled core' core_ready
if [ $mode = soak ]; then
    step 'compiled and pure' "$bin/python" -m tests.gamecore.both_builds --rounds "${TRUEDEAL_ROUNDS:-100000}"
    step 'properties of the core' "$bin/python" -m tests.gamecore.properties --tables "${TRUEDEAL_TABLES:-200000}" \
        --workers "$(getconf _NPROCESSORS_ONLN)"
    step 'fair shoes' "$bin/python" -m tests.bench.fair_shoes --shoes "${TRUEDEAL_SHOES:-1000000}" \
        --workers "$(getconf _NPROCESSORS_ONLN)"
    # An empty -m takes back the "not soak" of pyproject.toml.
    step 'tests and soak tests' "$bin/python" -m pytest -n "$workers" --maxschedchunk 1 -o cache_dir="$caches/pytest" -m ''
    step 'code that the tests enter' "$bin/python" -m tests.bench.covered
elif [ $mode = quick ]; then
    # Who is skipped is not listed: some hundred tests start processes.
    # shellcheck disable=SC2086  # an option and its value, or nothing
    step 'quick tests' "$bin/python" -m pytest -n "$workers" -o cache_dir="$caches/pytest" $place --quick -rfExX
else
    # One by one, so that no worker has several long ones before it.
    # shellcheck disable=SC2086  # an option and its value, or nothing
    step tests "$bin/python" -m pytest -n "$workers" --maxschedchunk 1 -o cache_dir="$caches/pytest" $place
fi
[ $mode != quick ] || exit 0
# What the compiled core has just been tested with, pure Python is tested with too.
step 'the rules in pure Python' env TRUEDEAL_CORE=pure "$bin/python" -m pytest -n "$workers" \
    -o cache_dir="$caches/pytest" tests/test_scenarios.py tests/gamecore
