#!/usr/bin/env bash
# What Debian has for running the libraries of other platforms: an emulator with a C library, musl for two processors, Wine.
# The musl of the other processor is unpacked into build/runners, for it would replace nothing here but be in the way.
set -euo pipefail
cd "$(dirname "$0")/.."

as_root=(); [ "$(id -u)" = 0 ] || as_root=(sudo)
"${as_root[@]}" apt-get update -qq
DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends \
  qemu-user libc6-arm64-cross musl wine64 wine

runners=$PWD/build/runners
mkdir -p "$runners"/apt/{lists/partial,cache/archives/partial}
foreign=(
  -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::Lists="$runners/apt/lists"
  -o Dir::Cache="$runners/apt/cache" -o APT::Sandbox::User=root
)
cd "$runners/apt"
apt-get "${foreign[@]}" update -qq
apt-get "${foreign[@]}" download -qq musl
dpkg-deb -x musl_*_arm64.deb "$runners"
rm -rf "$runners/apt"
