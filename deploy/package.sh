#!/bin/sh
# Builds the Debian packages of truedeal, for amd64 and arm64, on either of them. Needs Python 3.11 with pip or venv,
# dpkg-deb, and a network or a cache of pip's.
#
# 1. The libraries come from requirements.lock as wheels of the package's architecture and Debian 12's Python, each held
#    against its hash. Nothing of the package is run, so one machine builds for both.
# 2. They lie beside truedeal in /usr/lib/truedeal, where only truedeal looks, and run on Debian's python3. Byte code is
#    made when the package is installed.
# 3. The same sources give the same bytes: every file has the time SOURCE_DATE_EPOCH, the last commit's unless it is
#    set, and belongs to root.
# 4. Nothing in /etc is shipped, so no upgrade asks about a changed file: /etc/truedeal/table.toml is the operator's
#    alone, and the samples to copy it from are in /usr/share/truedeal.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/deploy/venv.sh"

usage() {
    cat <<'TEXT'
usage: sh deploy/package.sh [--arch amd64|arm64] [--revision N] [--out FOLDER]

  --arch      build for one architecture; for both otherwise
  --revision  the package's own number behind the version of the software; 1 otherwise
  --out       where the packages go; dist otherwise

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

# fetch ARGUMENT...: wheels, each held against its hash. Status 3 where they cannot be had, 1 where one is not the one
# that was locked.
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

# unpack_libraries ARCHITECTURE TREE: what the lock names and truedeal itself, into the tree.
unpack_libraries() {
    libraries=$2/usr/lib/truedeal
    wheels=$work/wheels-$1
    # shellcheck disable=SC2046  # a list of options
    fetch $(targeted "$1") --dest "$wheels" --requirement "$work/runtime.lock"
    # shellcheck disable=SC2046
    pip_quietly install $(targeted "$1") --only-binary=:all: --no-deps --no-index --no-compile --target "$libraries" \
        "$wheels"/*.whl "$work/project"/*.whl
    # What names the machine of the build, or the scripts that are not shipped.
    rm -rf "$libraries/bin"
    find "$libraries" -path '*.dist-info/*' \
        \( -name RECORD -o -name INSTALLER -o -name REQUESTED -o -name direct_url.json \) -delete
    find "$libraries" -name __pycache__ -prune -exec rm -rf {} +
}

# fill TREE: everything but the libraries.
fill() {
    mkdir -p "$1/DEBIAN" "$1/usr/bin" "$1/usr/lib/systemd/system" "$1/usr/lib/udev/rules.d" "$1/usr/lib/sysusers.d" \
        "$1/usr/share/truedeal/config" "$1/usr/share/doc/truedeal"
    cp "$root/deploy/debian/truedeal" "$1/usr/bin/truedeal"
    cp "$root"/deploy/systemd/*.service "$1/usr/lib/systemd/system/"
    cp "$root/deploy/systemd/truedeal.sysusers" "$1/usr/lib/sysusers.d/truedeal.conf"
    cp "$root"/deploy/udev/*.rules "$1/usr/lib/udev/rules.d/"
    cp "$root"/deploy/config/*.toml "$1/usr/share/truedeal/config/"
    cp "$root/deploy/HANDBOOK.md" "$root/CHANGELOG.md" "$1/usr/share/doc/truedeal/"
    cp "$root/LICENSE" "$1/usr/share/doc/truedeal/copyright"
    for script in postinst prerm postrm; do
        cp "$root/deploy/debian/$script" "$1/DEBIAN/$script"
    done
}

# control ARCHITECTURE TREE: the package's own description.
control() {
    cat >"$2/DEBIAN/control" <<TEXT
Package: truedeal
Version: $version
Architecture: $1
Maintainer: truedeal <truedeal@localhost>
Installed-Size: $(find "$2/usr" -type f -printf '%s\n' | awk '{ bytes += $1 } END { print int(bytes / 1024) + 1 }')
Depends: python3 (>= 3.11), python3 (<< 3.12), libc6 (>= 2.36), libusb-1.0-0, systemd (>= 252), udev, passwd
Section: misc
Priority: optional
Description: the computer of one casino table
 It hears every card that leaves the shoe and says whether the deal is right.
TEXT
    (cd "$2" && find usr -type f | LC_ALL=C sort | xargs -d '\n' md5sum) >"$2/DEBIAN/md5sums"
}

# package ARCHITECTURE
package() {
    tree=$work/tree-$1
    mkdir "$tree"
    unpack_libraries "$1" "$tree"
    fill "$tree"
    find "$tree" -type d -exec chmod 0755 {} +
    find "$tree" -type f -exec chmod 0644 {} +
    chmod 0755 "$tree/usr/bin/truedeal" "$tree/DEBIAN/postinst" "$tree/DEBIAN/prerm" "$tree/DEBIAN/postrm"
    control "$1" "$tree"
    find "$tree" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
    file=truedeal_${version}_$1.deb
    dpkg-deb --root-owner-group -Zxz --build "$tree" "$out/$file" >/dev/null
    say "$out/$file"
}

architectures='amd64 arm64'
revision=1
out=$root/dist
while [ $# -gt 0 ]; do
    case $1 in
        --arch | --revision | --out) [ $# -ge 2 ] || die "$1 needs a value" ;;
    esac
    case $1 in
        --arch) architectures=$2 && machine "$2" >/dev/null && shift ;;
        --revision) revision=$2 && shift ;;
        --out) out=$2 && shift ;;
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
# The lock without and with the back end of the build: each requirement begins at the margin, its hashes are indented.
awk '/^[^ #]/ { back_end = /^setuptools==/ } !back_end' "$root/requirements.lock" >"$work/runtime.lock"
awk '/^[^ #]/ { back_end = /^setuptools==/ } back_end' "$root/requirements.lock" >"$work/back-end.lock"

find_pip
build_project
for architecture in $architectures; do
    package "$architecture"
done
