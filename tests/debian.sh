# Sourced by tests/run.sh: the packages of Debian that some tests need as well as Python.

# debian_packages: where apt-get is and the user is root, installs what is missing. Elsewhere nothing happens, and the
# tests that need them are skipped by name.
debian_packages() {
    command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ] || return 0
    # A Node from elsewhere brings its own npm, and does not go together with Debian's.
    node=
    command -v npm >/dev/null 2>&1 || node='nodejs npm'
    missing=
    # shellcheck disable=SC2086  # a list of names
    for package in umockdev libumockdev0 gir1.2-umockdev-1.0 python3-gi libusb-1.0-0 debootstrap systemd-container \
        chromium fonts-wqy-microhei apt-utils gnupg rsyslog rsyslog-openssl openssl postgresql hunspell hunspell-en-gb \
        hunspell-en-us $node; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    printf '== packages:%s\n' "$missing"
    # The tests make clusters of their own, and end them: Debian's is not to begin one that stays.
    if [ ! -e /etc/postgresql-common/createcluster.conf ]; then
        mkdir -p /etc/postgresql-common
        echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
    fi
    export DEBIAN_FRONTEND=noninteractive
    # shellcheck disable=SC2086  # a list of names
    apt-get install -y -q --no-install-recommends $missing >/dev/null 2>&1 || {
        apt-get update -q >/dev/null 2>&1 && apt-get install -y -q --no-install-recommends $missing >/dev/null
    } || printf 'the packages could not be installed: the tests that need them are skipped\n' >&2
}
