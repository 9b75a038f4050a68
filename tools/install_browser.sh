#!/usr/bin/env bash
# The tests' browser, and the fonts of the original terms: installed where they are missing.
set -euo pipefail

missing=()
test -x /usr/bin/chromium || missing+=(chromium)
compgen -G '/usr/share/fonts/opentype/noto/NotoSansCJK*' >/dev/null || missing+=(fonts-noto-cjk)
test ${#missing[@]} -eq 0 && exit 0

if test "$(id -u)" -ne 0; then
  echo "The tests need ${missing[*]}: sudo apt-get install ${missing[*]}" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update --quiet=2
apt-get install --yes --quiet=2 --no-install-recommends "${missing[@]}" </dev/null
