#!/bin/sh
# Makes a signed Debian repository of the packages in a folder. Needs apt-ftparchive (apt-utils) and gpg.
#
# 1. apt verifies InRelease by itself, and every package by it. Nothing verifies a single package that somebody hands
#    over: a box takes its packages from here, be it over the network or from a stick.
# 2. The key is the maker's, in the keyring of gpg. Without one a throwaway key named test signs, which no box trusts.
#    The public key is written beside the index as truedeal-archive.gpg; a box gets it once, by another way, and names
#    it by signed-by.
set -eu

usage() {
    cat <<'TEXT'
usage: sh deploy/repository.sh [--key ID] FOLDER

  --key   the key of gpg that signs; a throwaway one named test otherwise
  FOLDER  where the packages are, and where the index goes
TEXT
}

die() {
    printf 'truedeal: %s\n' "$*" >&2
    exit 1
}

# throwaway: makes a key in a keyring of its own, and sets `key` to it.
throwaway() {
    GNUPGHOME=$work/gnupg
    export GNUPGHOME
    mkdir -m 0700 "$GNUPGHOME"
    gpg --batch --quiet --passphrase '' --quick-generate-key 'test' ed25519 sign never 2>"$work/gpg" ||
        die "gpg made no key: $(cat "$work/gpg")"
    key=test
}

key=
folder=
while [ $# -gt 0 ]; do
    case $1 in
        --key)
            [ $# -ge 2 ] || die "--key needs a value"
            key=$2
            shift
            ;;
        --help | -h)
            usage
            exit 0
            ;;
        -*)
            usage >&2
            exit 2
            ;;
        *) folder=$1 ;;
    esac
    shift
done
[ -d "$folder" ] || {
    usage >&2
    exit 2
}
for tool in apt-ftparchive gpg; do
    command -v $tool >/dev/null 2>&1 || die "$tool is missing (Debian: apt-get install apt-utils gnupg)"
done
umask 022
work=$(mktemp -d)
# The agent of a throwaway keyring would outlive it.
trap 'if [ -d "$work/gnupg" ]; then gpgconf --homedir "$work/gnupg" --kill all; fi; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

cd "$folder"
[ -n "$key" ] || throwaway
rm -f Packages Release InRelease
apt-ftparchive packages . >Packages
apt-ftparchive -o APT::FTPArchive::Release::Origin=truedeal -o APT::FTPArchive::Release::Label=truedeal \
    release . >"$work/Release"
gpg --batch --quiet --yes --local-user "$key" --output InRelease --clearsign "$work/Release"
gpg --batch --quiet --yes --output truedeal-archive.gpg --export "$key"
printf 'truedeal: %s\n' "$folder/InRelease"
