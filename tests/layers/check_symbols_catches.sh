#!/usr/bin/env bash
# The check can fail: libraries of three functions, in which one name has two definitions, must be refused; twins and inline functions alone not.
# usage: check_symbols_catches.sh COMPILER
set -eu
compiler=$1
check=$(realpath "$(dirname "$0")/check_symbols.sh")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
library() {  # NAME CODE: libNAME.a of one object
  echo "$2" >"$1.cpp"
  "$compiler" -c "$1.cpp" -o "$1.o"
  rm -f "lib$1.a"
  ar rcs "lib$1.a" "$1.o"
}
library one 'namespace p { int alone() { return 1; } static int mine() { return 2; } int calls() { return mine(); } }'
library two 'namespace p { inline int same() { return 1; } static int mine() { return 3; } int other() { return mine() + same(); } }'
library one_f64 'namespace p { int alone() { return 1; } }'
library three 'namespace p { inline int same() { return 1; } int another() { return same(); } }'
bash "$check" libone.a libtwo.a libthree.a libone_f64.a libabsent.a || { echo "refused although nothing is defined twice"; exit 1; }
refused() {  # SYMBOL LIBRARY...
  local symbol=$1 said
  shift
  if said=$(bash "$check" "$@"); then echo "not caught: $symbol in $*"; exit 1; fi
  case $said in "$symbol: "*) ;; *) echo "$symbol in $* was refused with: $said"; exit 1 ;; esac
}
library strong 'namespace p { int alone() { return 2; } }'
refused 'p::alone()' libone.a libstrong.a
library hides 'namespace p { int same() { return 2; } }'
refused 'p::same()' libtwo.a libhides.a
library other_f64 'namespace p { int alone() { return 2; } }'
refused 'p::alone()' libone_f64.a libother_f64.a
