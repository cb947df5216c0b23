#!/usr/bin/env bash
# The check can fail: a copy of the tree with one forbidden include and one long file must be refused for each.
set -u
source_folder=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -r "$source_folder"/engine "$source_folder"/agent "$source_folder"/storage "$source_folder"/app "$scratch"/ || exit 2
mkdir -p "$scratch/tests"
bash "$source_folder/tests/layers/check_layers.sh" "$scratch" || { echo "the copy was refused before anything was planted"; exit 1; }
plant() {
  echo "$2" > "$scratch/$1"
  if bash "$source_folder/tests/layers/check_layers.sh" "$scratch" >/dev/null; then echo "not caught: $2 in $1"; exit 1; fi
  rm "$scratch/$1"
}
plant engine/algorithms/planted.cpp '#include <torch/torch.h>'
plant app/cluster/planted.h '#include <QString>'
plant app/ui/planted.cpp '#include <qcustomplot.h>'
plant agent/supervisor/planted.cpp '#include <zmq.hpp>'
plant app/cli/planted.cpp '#include "engine/comm/transport/message.h"'
plant storage/planted.cpp "$(seq 401)"
