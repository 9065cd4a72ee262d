# Sourced by tests/run.sh: the tools that check the page's JavaScript.

# page_tools CACHES: installs what tests/package-lock.json names, from whichever registry the machine is configured for,
# and says where in TRUEDEAL_PAGE_TOOLS. It is done once for each lock: after that no network is needed. Without npm, or
# where it fails, the tests that need the tools are skipped by name.
page_tools() {
    digest=$(sha256sum "$root/tests/package-lock.json" | cut -c 1-16)
    export TRUEDEAL_PAGE_TOOLS="$1/page-tools/$digest"
    [ ! -d "$TRUEDEAL_PAGE_TOOLS" ] || return 0
    command -v npm >/dev/null 2>&1 || return 0
    printf '== tools for the page\n'
    mkdir -p "$1/page-tools"
    fresh=$(mktemp -d "$1/page-tools/fresh.XXXXXX")
    cp "$root/tests/package.json" "$root/tests/package-lock.json" "$fresh"
    if (cd "$fresh" && npm ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error >npm.log 2>&1); then
        # Another run may have been faster: then its folder stays.
        mv -T "$fresh" "$TRUEDEAL_PAGE_TOOLS" 2>/dev/null || rm -rf "$fresh"
    else
        cat "$fresh/npm.log" >&2
        rm -rf "$fresh"
        printf 'the tools for the page could not be installed: the tests that need them are skipped\n' >&2
    fi
}
