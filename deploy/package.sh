#!/bin/sh
# Builds the Debian packages of truedeal, for amd64 and arm64, on either of them. Needs Python 3.11 with pip or venv,
# dpkg-deb, and a network or a cache of pip's.
#
# 1. The libraries come from requirements.lock as wheels of the package's architecture and Debian 12's Python, each
#    checked against its hash. Nothing of the package is run, so one machine builds for both.
# 2. They lie beside truedeal in /usr/lib/truedeal, where only truedeal looks, and run on Debian's python3. Byte code
#    belongs to the package, because it is what runs: it carries no time and is not compared with its source.
# 3. Every file of the package truedeal there is listed and signed (deploy/sign.py); truedeal-sim is not signed.
#    The key comes from outside the repository; without one a throwaway key named test signs, which no table trusts by
#    itself. The public key is written beside the packages.
# 4. What no table needs is not in the package truedeal: the simulated hardware, its USB backend, and the experimental
#    driver that cannot prove a key, but for its messages. The package truedeal-sim has all of it and truedeal too, in a
#    folder of its own, and the two are never on one computer.
# 5. The core is compiled (deploy/core/build.py) for the architecture of the machine that builds, where it has a C
#    compiler and the headers of Python; mypy comes from the lock of the tests, each wheel checked against its hash. A
#    package for the other architecture runs the same sources in pure Python. Which it is, is said.
# 6. The same sources and the same key give the same bytes: every file has the time SOURCE_DATE_EPOCH, that of the last
#    commit unless it is set, and belongs to root.
# 7. The manual page and the completion for bash and zsh are made from the parsers of the very program that is packed
#    (deploy/command_line.py).
# 8. Nothing in /etc is shipped, so no upgrade asks about a changed file: /etc/truedeal/table.toml is the operator's
#    alone, and the samples to copy it from are in /usr/share/truedeal.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/deploy/venv.sh"

usage() {
    cat <<'TEXT'
usage: sh deploy/package.sh [--arch amd64|arm64] [--revision N] [--out FOLDER] [--key FILE --key-name NAME]

  --arch      build for one architecture; for both otherwise
  --revision  the package's own number behind the version of the software; 1 otherwise
  --out       where the packages go; dist otherwise
  --key       the key that signs the list of files, as deploy/sign.py --make makes it; a throwaway one otherwise
  --key-name  the name under which tables trust it; test otherwise

SOURCE_DATE_EPOCH=SECONDS sets the time of every file. PYTHON=name chooses the Python that builds; python3 otherwise.
TEXT
}

# machine ARCHITECTURE: what wheels call it.
machine() {
    case $1 in
        amd64) echo x86_64 ;;
        arm64) echo aarch64 ;;
        *) die "no architecture $1: there are amd64 and arm64" ;;
    esac
}

# pip_quietly ARGUMENT...: silent unless it fails.
pip_quietly() {
    "$pip_python" -m pip -qq --disable-pip-version-check --no-input "$@" || die "pip failed; its message is above"
}

# fetch ARGUMENT...: wheels, each checked against its hash. Status 3 where they cannot be had, 1 where one is not the
# one that was locked.
fetch() {
    "$pip_python" -m pip -qq --disable-pip-version-check --no-input download --no-deps --require-hashes \
        --only-binary=:all: "$@" 2>"$work/fetched" && return
    cat "$work/fetched" >&2
    ! grep -q 'DO NOT MATCH' "$work/fetched" || die "a library is not the one that requirements.lock names"
    say "a library could not be fetched; pip's message is above" >&2
    exit 3
}

# find_pip: sets `pip_python` to a Python that has pip.
find_pip() {
    find_python
    pip_python=$python
    "$pip_python" -m pip --version >/dev/null 2>&1 && return
    "$python" -m venv "$work/venv"
    pip_python=$work/venv/bin/python
}

# targeted ARCHITECTURE: the options by which pip takes wheels for Debian 12's Python there; glibc 2.36 takes them all.
targeted() {
    for glibc in 2_5 2_12 2_17 2_24 2_26 2_27 2_28 2_31 2_34; do
        printf -- '--platform manylinux_%s_%s ' "$glibc" "$(machine "$1")"
    done
    printf -- '--platform manylinux2014_%s ' "$(machine "$1")"
    printf -- '--python-version 3.11 --implementation cp --abi cp311 --abi abi3 --abi none'
}

# build_project: the wheel of truedeal itself, from a copy of the sources: a build leaves folders behind.
build_project() {
    mkdir "$work/source" "$work/project"
    for name in pyproject.toml README.md LICENSE firmware_bridge drivers gamecore hal_sim; do
        cp -R "$root/$name" "$work/source/"
    done
    find "$work/source" -name __pycache__ -prune -exec rm -rf {} +
    # The build back end comes from the lock, as everything else.
    fetch --dest "$work/back-end" --requirement "$work/back-end.lock"
    pip_quietly wheel --no-deps --no-index --find-links "$work/back-end" --wheel-dir "$work/project" "$work/source"
}

# unpack_libraries ARCHITECTURE TREE: what the lock names and truedeal itself, into the tree; unpacked once for both
# packages.
unpack_libraries() {
    libraries=$2/usr/lib/$name
    unpacked=$work/libraries-$1
    if [ ! -d "$unpacked" ]; then
        wheels=$work/wheels-$1
        # shellcheck disable=SC2046  # a list of options
        fetch $(targeted "$1") --dest "$wheels" --requirement "$work/runtime.lock"
        # shellcheck disable=SC2046
        pip_quietly install $(targeted "$1") --only-binary=:all: --no-deps --no-index --no-compile \
            --target "$unpacked" "$wheels"/*.whl "$work/project"/*.whl
        # What names the machine of the build, or the scripts that are not shipped.
        rm -rf "$unpacked/bin"
        find "$unpacked" -path '*.dist-info/*' \
            \( -name RECORD -o -name INSTALLER -o -name REQUESTED -o -name direct_url.json \) -delete
        find "$unpacked" -name __pycache__ -prune -exec rm -rf {} +
    fi
    mkdir -p "$2/usr/lib"
    cp -R "$unpacked" "$libraries"
}

# compile_core: sets `core` to the folder of the compiled core, empty where it cannot be made.
compile_core() {
    core=
    awk '/^[^ #]/ { needed = /^(ast-serialize|librt|mypy|mypy-extensions|pathspec|setuptools|typing-extensions)==/ } needed' \
        "$root/tests/requirements-dev.lock" >"$work/compiler.lock"
    fetch --dest "$work/compiler-wheels" --requirement "$work/compiler.lock"
    pip_quietly install --no-deps --no-index --no-compile --target "$work/compiler" "$work"/compiler-wheels/*.whl
    caches=$root/.cache/$(id -u)/core
    mkdir -p "$caches" 2>/dev/null || caches=$work/cores
    status=0
    PYTHONPATH="$work/compiler" "$pip_python" "$root/deploy/core/build.py" --caches "$caches" >"$work/core" || status=$?
    case $status in
        0) core=$(tail -n 1 "$work/core") ;;
        3) ;;
        *) die "the core could not be compiled; the message is above" ;;
    esac
}

# add_core ARCHITECTURE LIBRARIES: the compiled core beside its sources.
add_core() {
    if [ -n "$core" ] && [ "$(uname -m)" = "$(machine "$1")" ]; then
        (cd "$core" && find . -name '*.so' -exec cp --parents -t "$2" {} +)
    else
        say "$name for $1 has no compiled core: pure Python runs"
    fi
}

# leave_out_what_no_table_needs LIBRARIES: the simulator, and of the experimental driver all but its messages.
leave_out_what_no_table_needs() {
    rm -rf "$1/hal_sim"
    find "$1/drivers/angel_eye" -type f ! -name __init__.py ! -name messages.py -delete
    sed -i -e '/= *hal_sim[.:]*/d' -e '/= *drivers\.angel_eye\./d' "$1"/truedeal-*.dist-info/entry_points.txt
    sed -i -e '/^hal_sim$/d' "$1"/truedeal-*.dist-info/top_level.txt
}

# compile TREE: byte code for every source, named as it will lie, beside it wherever the builder keeps its own.
compile() {
    env -u PYTHONPYCACHEPREFIX "$pip_python" -m compileall -q --invalidation-mode unchecked-hash -s "$1" -p / "$1/usr/lib"
}

# sign LIBRARIES: list and sign the files, with the library of the lock.
sign() {
    PYTHONPATH="$root:$work/tools" "$pip_python" "$root/deploy/sign.py" "$1" \
        --version "${version%-*}" --name "$key_name" --key "$key"
}

# describe TREE LIBRARIES: manual page and completion, from the program as it is packed. The tools go first: compiled
# libraries of the package may be for another architecture.
describe() {
    PYTHONPATH="$work/tools:$2:$root" "$pip_python" -SB "$root/deploy/command_line.py" "$1" --program "$name"
}

# find_key: sets `key` to the file of the key that signs, and writes its public half beside the packages.
find_key() {
    awk '/^[^ #]/ { needed = /^(pynacl|cffi|pycparser|shtab)==/ } needed' "$root/requirements.lock" >"$work/tools.lock"
    fetch --dest "$work/tools-wheels" --requirement "$work/tools.lock"
    pip_quietly install --no-deps --no-index --no-compile --target "$work/tools" "$work"/tools-wheels/*.whl
    if [ -z "$key" ]; then
        key=$work/key
        PYTHONPATH="$root:$work/tools" "$pip_python" "$root/deploy/sign.py" --make "$key"
    fi
    cp "$key.pub" "$out/$key_name.pub"
}

# fill TREE: everything but the libraries.
fill() {
    mkdir -p "$1/usr/lib/systemd/system" "$1/usr/lib/udev/rules.d" "$1/usr/lib/sysusers.d" \
        "$1/usr/share/truedeal/config" "$1/usr/share/doc/truedeal"
    cp "$root"/deploy/systemd/*.service "$1/usr/lib/systemd/system/"
    cp "$root/deploy/systemd/truedeal.sysusers" "$1/usr/lib/sysusers.d/truedeal.conf"
    cp "$root"/deploy/udev/*.rules "$1/usr/lib/udev/rules.d/"
    cp "$root"/deploy/config/*.toml "$1/usr/share/truedeal/config/"
    cp "$root/deploy/HANDBOOK.md" "$root/CHANGELOG.md" "$1/usr/share/doc/truedeal/"
    for script in postinst prerm postrm; do
        cp "$root/deploy/debian/$script" "$1/DEBIAN/$script"
    done
}

# control ARCHITECTURE TREE: the package's own description.
control() {
    cat >"$2/DEBIAN/control" <<TEXT
Package: $name
Version: $version
Architecture: $1
Maintainer: truedeal <truedeal@localhost>
Installed-Size: $(find "$2/usr" -type f -printf '%s\n' | awk '{ bytes += $1 } END { print int(bytes / 1024) + 1 }')
Depends: python3 (>= 3.11), python3 (<< 3.12), libc6 (>= 2.36), libusb-1.0-0, systemd (>= 252), udev, passwd
Section: misc
Priority: optional
TEXT
    case $name in
        truedeal) cat <<'TEXT' ;;
Conflicts: truedeal-sim
Description: the computer of one casino table
 It hears every card that leaves the shoe and says whether the deal is right.
TEXT
        *) cat <<'TEXT' ;;
Conflicts: truedeal
Description: a simulated casino table, to try truedeal and to learn it
 Simulated shoe, sensors and panel with a robot dealer. It is for no table that is played at.
TEXT
    esac >>"$2/DEBIAN/control"
    (cd "$2" && find usr -type f | LC_ALL=C sort | xargs -d '\n' md5sum) >"$2/DEBIAN/md5sums"
}

# package ARCHITECTURE NAME
package() {
    name=$2
    tree=$work/tree-$name-$1
    mkdir -p "$tree/DEBIAN" "$tree/usr/bin" "$tree/usr/share/doc/$name"
    unpack_libraries "$1" "$tree"
    add_core "$1" "$libraries"
    [ "$name" != truedeal ] || leave_out_what_no_table_needs "$libraries"
    compile "$tree"
    describe "$tree" "$libraries"
    sed "s|/usr/lib/truedeal|/usr/lib/$name|" "$root/deploy/debian/truedeal" >"$tree/usr/bin/$name"
    cp "$root/LICENSE" "$tree/usr/share/doc/$name/copyright"
    if [ "$name" = truedeal ]; then
        sign "$libraries"
        fill "$tree"
    fi
    find "$tree" -type d -exec chmod 0755 {} +
    find "$tree" -type f -exec chmod 0644 {} +
    find "$tree/usr/bin" "$tree/DEBIAN" -type f -exec chmod 0755 {} +
    control "$1" "$tree"
    find "$tree" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
    file=${name}_${version}_$1.deb
    dpkg-deb --root-owner-group -Zxz --build "$tree" "$out/$file" >/dev/null
    say "$out/$file"
}

architectures='amd64 arm64'
revision=1
out=$root/dist
key=
key_name=test
while [ $# -gt 0 ]; do
    case $1 in
        --arch | --revision | --out | --key | --key-name) [ $# -ge 2 ] || die "$1 needs a value" ;;
    esac
    case $1 in
        --arch) architectures=$2 && machine "$2" >/dev/null && shift ;;
        --revision) revision=$2 && shift ;;
        --out) out=$2 && shift ;;
        --key) key=$2 && shift ;;
        --key-name) key_name=$2 && shift ;;
        --help | -h)
            usage
            exit 0
            ;;
        *)
            usage >&2
            exit 2
            ;;
    esac
    shift
done

if [ -n "$key" ]; then
    case $(CDPATH='' cd -- "$(dirname -- "$key")" && pwd)/ in
        "$root"/*) die "the key $key lies in the repository: keep it elsewhere" ;;
    esac
    [ -f "$key.pub" ] || die "the public key $key.pub is missing"
fi
command -v dpkg-deb >/dev/null 2>&1 || die "dpkg-deb is missing (Debian: apt-get install dpkg)"
if [ -z "${SOURCE_DATE_EPOCH-}" ]; then
    SOURCE_DATE_EPOCH=$(git -C "$root" -c "safe.directory=$root" log -1 --format=%ct 2>/dev/null) ||
        SOURCE_DATE_EPOCH=$(stat -c %Y "$root/CHANGELOG.md")
fi
export SOURCE_DATE_EPOCH
umask 022
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -p "$out"
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$root/pyproject.toml")-$revision
# The lock without what only builds, and the back end of the build alone: each requirement begins at the margin, its hashes are indented.
awk '/^[^ #]/ { build = /^(setuptools|shtab)==/ } !build' "$root/requirements.lock" >"$work/runtime.lock"
awk '/^[^ #]/ { back_end = /^setuptools==/ } back_end' "$root/requirements.lock" >"$work/back-end.lock"

find_pip
"$pip_python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' ||
    die "byte code is made for Debian 12: Python 3.11 is needed (name one by PYTHON=...)"
build_project
compile_core
find_key
for architecture in $architectures; do
    package "$architecture" truedeal
    package "$architecture" truedeal-sim
done
