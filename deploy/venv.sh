# shellcheck shell=sh
# shellcheck disable=SC2154  # root comes from the script that sources this
# Makes and refreshes a virtual environment. Sourced by deploy/try.sh and tests/run.sh, with `root` set to the top of
# the repository; they call `venv_ready`.
#
# 1. An environment remembers what was installed into it by stamps, files in its folder `stamps`: one for each lock,
#    one for pyproject.toml, one for the place where it was made. When all are current nothing is done.
# 2. A stamp is written after its install has succeeded, so an install that was cut short is done again.
# 3. A lock that has changed, or an environment that was moved or whose Python is gone, means a new environment: a
#    package that the lock no longer names must not linger and hide a missing dependency.
# 4. Two locks may share an environment: the locks agree on every package that they share, see deploy/lock.sh.
# 5. Only what is slow is announced, in one line.
# 6. The environment takes the compiled core where it was built from just these sources, see deploy/core/finder.py;
#    `core_ready` builds it. Everything runs without it, in pure Python.

die() {
    printf 'truedeal: %s\n' "$*" >&2
    exit 1
}

say() {
    printf 'truedeal: %s\n' "$*"
}

# checksum FILE: the file's checksum alone, without its name.
checksum() {
    sha256sum <"$1" | cut -d ' ' -f 1
}

# stamped NAME VALUE: whether the stamp NAME of the environment `venv` holds VALUE.
stamped() {
    [ -f "$venv/stamps/$1" ] && [ "$(cat "$venv/stamps/$1")" = "$2" ]
}

stamp() {
    mkdir -p "$venv/stamps"
    printf '%s\n' "$2" >"$venv/stamps/$1"
}

# find_python: sets `python` to a Python that is new enough and can make environments, or ends with one line.
find_python() {
    python=${PYTHON:-python3}
    command -v "$python" >/dev/null 2>&1 ||
        die "$python is missing: install Python 3.11 or newer (Debian: apt-get install python3 python3-venv)"
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 ||
        die "$("$python" --version 2>&1) is too old: Python 3.11 or newer is needed (name one by PYTHON=...)"
    "$python" -c 'import ensurepip, venv' >/dev/null 2>&1 && return
    # Debian ships the module that makes environments as a package of its own.
    if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
        say "installing the Debian package python3-venv"
        { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq -y install python3-venv; } >/dev/null || true
    fi
    "$python" -c 'import ensurepip, venv' >/dev/null 2>&1 ||
        die "$python cannot make virtual environments: install the Debian package python3-venv"
}

# pip_install ARGUMENT...: into `venv`; silent unless it fails.
pip_install() {
    "$venv/bin/python" -m pip install -qq --disable-pip-version-check --no-input "$@" ||
        die "pip could not install into $venv; its message is above"
}

# venv_ready DIR LOCK: leaves the environment DIR with LOCK and the project installed, and sets `venv` to DIR.
venv_ready() {
    venv=$1
    lock=$2
    lock_name=$(basename -- "$lock")
    lock_sum=$(checksum "$lock")
    project_sum=$(checksum "$root/pyproject.toml")
    finder_sum=$(checksum "$root/deploy/core/finder.py")

    fresh=no
    if ! stamped home "$root" || ! "$venv/bin/python" -c '' 2>/dev/null; then
        fresh=yes
    elif [ -f "$venv/stamps/$lock_name" ] && ! stamped "$lock_name" "$lock_sum"; then
        fresh=yes
    fi
    if [ $fresh = no ] && stamped "$lock_name" "$lock_sum" && stamped project "$project_sum" &&
        stamped finder "$finder_sum"; then
        return
    fi

    # Without this a user who comes after root would get a page of tracebacks.
    if [ ! -w "$root" ] || { [ -e "$venv" ] && [ ! -w "$venv" ]; }; then
        die "$venv must be made or renewed, and $(id -un) may not write there: copy the repository or change its owner"
    fi
    if [ $fresh = yes ]; then
        find_python
        say "making $venv"
        rm -rf "$venv"
        "$python" -m venv "$venv" || die "$python could not make $venv; its message is above"
        stamp home "$root"
    fi
    if ! stamped "$lock_name" "$lock_sum"; then
        say "installing $lock_name"
        pip_install --require-hashes -r "$lock"
        stamp "$lock_name" "$lock_sum"
    fi
    if ! stamped project "$project_sum"; then
        say "installing truedeal"
        # The build back end comes from the lock, so nothing is fetched here.
        pip_install --no-deps --no-build-isolation --editable "$root"
        stamp project "$project_sum"
    fi
    if ! stamped finder "$finder_sum"; then
        "$venv/bin/python" "$root/deploy/core/finder.py" || die "$venv cannot be told of the compiled core"
        stamp finder "$finder_sum"
    fi
}

# core_ready: compiles the core with the tools of the environment `venv`, once for each digest of its sources. Where a
# tool is missing that is said, and pure Python runs.
core_ready() {
    status=0
    "$venv/bin/python" "$root/deploy/core/build.py" >/dev/null || status=$?
    [ $status -eq 0 ] || [ $status -eq 3 ] || die "the core could not be compiled; the message is above"
}
