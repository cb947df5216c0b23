#!/usr/bin/env bash
# The check can fail: a copy of the tree with one forbidden include, one long file or one full folder must be refused for each.
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
plant app/ui/planted.cpp '#include <QFileDialog>'
plant agent/supervisor/planted.cpp '#include <zmq.hpp>'
plant app/cli/planted.cpp '#include "engine/comm/transport/message.h"'
plant engine/core/base/planted.h '#include "engine/core/json/fields.h"'
plant engine/core/json/planted.h '#include "engine/core/spec/run_spec.h"'
plant engine/comm/codecs/planted.h '#include "engine/comm/zmq/zmq_wire.h"'
plant engine/core/base/planted.h '#include "engine/core/planted.h"'
plant storage/store/planted.h '#include "storage/summary/summary.h"'
plant app/cluster/ssh/planted.h '#include "app/cluster/run/placement.h"'
plant app/cluster/deploy/planted.h '#include "app/cluster/ssh/session.h"'
plant app/cluster/hosts/planted.h '#include <libssh/libssh.h>'
plant app/cli/planted.cpp 'const auto json = nlohmann::json::parse(text);'
plant storage/planted.h 'OrderedJson read(const std::string& text) { return OrderedJson::parse(text, nullptr, false); }'
plant agent/supervisor/planted.cpp 'bool fits = Json::accept(text);'
plant app/cli/planted.cpp 'void f(const char* a) { std::ofstream out(a); }'
plant app/ui/planted.cpp '#include <QSaveFile>'
plant app/ui/planted.cpp 'class A : public QObject { Q_OBJECT };'
plant agent/supervisor/planted.cpp 'int f(int fd) { return ::fsync(fd); }'
plant storage/planted.cpp "$(seq 401)"
mkdir "$scratch/app/full" && touch "$scratch"/app/full/{1..34}
plant app/full/planted "the 35th file"
