#!/usr/bin/env bash
# Makes a root folder with nothing but the base system of this release of Debian, and installs a package there with what
# it depends on, from where this system has its packages.
#
# clean-root.sh ROOT PACKAGE.deb
set -euo pipefail
root=$1 package=$2
source /etc/os-release

rm -rf "$root"
debootstrap --variant=minbase --include=ca-certificates "$VERSION_CODENAME" "$root"
cp -r /etc/apt/sources.list* "$root/etc/apt/"
cp -r /usr/share/keyrings/* "$root/usr/share/keyrings/"
cp /etc/resolv.conf /etc/hosts "$root/etc/"
cp "$package" "$root/tmp/package.deb"
chroot "$root" apt-get update -q
DEBIAN_FRONTEND=noninteractive chroot "$root" apt-get install -y -q --no-install-recommends /tmp/package.deb
