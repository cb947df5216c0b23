#!/usr/bin/env bash
# One name, one definition: where an object defines a strong external symbol that another object of our static libraries also defines (strong, or
# weak as an inline function), the linker silently takes one for both. Twins (libX_f64.a) are never linked with their originals and are compared
# among themselves.
# usage: check_symbols.sh LIBRARY.a...; libraries that are not built are passed over. Prints each offence as SYMBOL: OBJECT OBJECT, exit 1.
set -eu
built=()
for library in "$@"; do [ -e "$library" ] && built+=("$library"); done
[ ${#built[@]} -ge 2 ] || { echo "no two of these libraries are built: $*"; exit 2; }
nm --defined-only --extern-only --print-file-name "${built[@]}" | awk '
  NF >= 3 && $(NF - 1) ~ /^[TDBRCWV]$/ {
    object = $1; sub(/^.*\//, "", object); sub(/:[^:]*$/, "", object)
    key = (object ~ /_f64\.a/ ? "f64 " : "") $NF
    ++count[key]
    if ($(NF - 1) ~ /[WV]/) weak[key] = object
    else strong[key] = strong[key] " " object
  }
  END {
    for (key in strong)
      if (count[key] > 1) { name = key; sub(/^f64 /, "", name); print name ":" strong[key], weak[key]; found = 1 }
    exit found
  }' | c++filt | sort
exit "${PIPESTATUS[1]}"
