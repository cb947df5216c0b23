#!/usr/bin/env bash
# The table "who may link whom" of the architecture, for modules and for the rooms in them, as a check of include lines; the length of every file and
# the size of every folder.
# usage: check_layers.sh SOURCE_FOLDER; prints each offence as FILE:LINE, exit 1 when there is one.
set -u
cd "$1" || exit 2
status=0

offend() { echo "$1"; status=1; }

# forbid FOLDER REGEX WHY [EXCEPT_REGEX]: no file below FOLDER includes what REGEX matches.
forbid() {
  local hits
  hits=$(grep -rnE --include='*.h' --include='*.cpp' --include='*.cu' "^[[:space:]]*#[[:space:]]*include[[:space:]]+[<\"]($2)" "$1" 2>/dev/null |
    if [ -n "${4:-}" ]; then grep -vE "$4"; else cat; fi)
  [ -n "$hits" ] && offend "$3:
$hits"
}

torch='torch/|ATen/|c10/'
qt='Q[A-Za-z]+[>"/]|Qt[A-Z]|qcustomplot'
zmq='zmq|gloo/'
sqlite='sqlite3'
ssh='libssh/'
engine='engine/(comm|algorithms|data|nn|runtime|cuda)/'
app='app/|storage/|agent/'

forbid engine/core "$torch|$qt|$zmq|$sqlite|$ssh|$engine|$app|zlib" "core sees std and nlohmann_json only"
forbid engine/comm "$torch|$qt|$sqlite|$ssh|$app|engine/(algorithms|data|nn|runtime)/" "comm sees core and zmq"
forbid engine/algorithms "$torch|$qt|$zmq|$sqlite|$ssh|$app|engine/(data|nn|runtime)/|thread[>]|mutex[>]|atomic[>]" "algorithms see core and comm, no threads"
forbid engine/data "$torch|$qt|$zmq|$sqlite|$ssh|$app|engine/(comm|algorithms|nn|runtime)/" "data sees core and zlib"
forbid engine/nn "$qt|$zmq|$sqlite|$ssh|$app|engine/(comm|algorithms|runtime)/" "nn sees core, data and torch"
forbid engine/runtime "$torch|$qt|$zmq|$sqlite|$ssh|$app|engine/(nn|data)/" "runtime sees core, comm and algorithms"
forbid agent/server "$torch|$qt|$sqlite|$ssh|app/|storage/|engine/nn/" "the server is torch-free"
forbid agent/simulation "$torch|$qt|$sqlite|$ssh|app/|storage/|engine/nn/" "the server simulates without torch"
forbid agent/worker "$qt|$sqlite|$ssh|app/|storage/" "the worker has no desktop parts"
forbid agent/supervisor "$torch|$qt|$zmq|$sqlite|$ssh|$engine|app/|storage/" "the supervisor sees core only"
forbid storage "$torch|$qt|$zmq|$ssh|$engine|app/|agent/" "storage sees core and sqlite"
forbid app/search "$torch|$qt|$zmq|$sqlite|$ssh|$engine|storage/|app/(cluster|figures|why|predict|models|ui|cli)/" "search sees core only"
forbid app/cluster "$torch|$qt|$zmq|$sqlite|$engine" "cluster sees core, storage and libssh"
forbid app/figures "$torch|$qt|$zmq|$sqlite|$ssh|$engine|app/(cluster|report|models|ui|cli)/" "figures see core and storage"
forbid app/report "$torch|$qt|$zmq|$sqlite|$ssh|$engine|app/(cluster|why|predict|models|ui|cli)/" "report sees core, storage and figures"
forbid app/why "$torch|$qt|$zmq|$sqlite|$ssh|$engine|app/(figures|predict|models|ui|cli)/" "why sees core, storage and cluster"
forbid app/predict "$torch|$qt|$zmq|$sqlite|$ssh|$engine|app/(figures|models|ui|cli)/" "predict sees core, storage, cluster and why"
forbid app/models "$torch|$zmq|$sqlite|$ssh|$engine|QtWidgets|QWidget|qcustomplot" "models see Qt Core, no widgets"
forbid app/ui "$torch|$zmq|$sqlite|$ssh|$engine" "ui sees no engine beyond core"
forbid app/ui "qcustomplot" "only figure_view.cpp with its figure_plottables.h and figure_arrangement.cpp know QCustomPlot" "figure_((view|arrangement)\.cpp|plottables\.h):"
forbid app/ui "QFileDialog|QFileSystemModel|QFileIconProvider|QMimeDatabase" "only file_dialog.cpp shows files: others would open the store's" "file_dialog\.cpp:"
forbid app/cli "$torch|$zmq|$sqlite|$ssh|$engine|$qt" "the terminal has no Qt and no torch"

# room FOLDER [SIBLING...]: of the rooms beside it, FOLDER includes only those named; of the folder above it, nothing unless "." is named.
room() {
  local folder=$1 module=${1%/*} seen="" beside sibling
  shift
  [ -d "$folder" ] || [ ! -d "$module" ] || offend "rule for a room that is not there: $folder"
  for sibling in "$@"; do [ "$sibling" = . ] || seen="$seen|$sibling/"; done
  beside=$(find "$module" -mindepth 1 -maxdepth 1 -type d ! -path "$folder" -printf '%f/|')
  [[ " $* " = *" . "* ]] || beside="$beside[a-z0-9_]*\\.h|"
  [ -n "$beside" ] || return 0
  forbid "$folder" "$module/(${beside%|})" "$folder sees of $module only: ${*:-nothing}" "include[[:space:]]+[<\"]$module/(${seen#|}${seen:+|}${folder##*/}/)"
}
room engine/core/base
room engine/core/json base
room engine/core/spec base json
room engine/core/record base json spec
room engine/comm/transport
room engine/comm/codecs transport
room engine/comm/sim transport
room engine/comm/zmq transport codecs
room engine/comm/aggregators transport codecs
room engine/nn/models .
room agent/supervisor/contain .
room agent/supervisor/receive . contain
room storage/store
room storage/summary store
room storage/interchange store summary
room app/cluster/notices hosts
room app/cluster/recorder hosts notices run worker
room app/cluster/ssh hosts
room app/cluster/slurm hosts
room app/figures/parts .
room app/models/clusters .
room app/models/compare .
room app/models/data .
room app/models/imports .
room app/models/report .
room app/models/settings .
room app/models/experiment . clusters runs
room app/models/runs . clusters
room app/ui/widgets

# Sessions over SSH are made for a host of the registry (hosts); others see what is said about them: the reason of a failure, ~/.ssh/config.
hits=$(grep -rnE --include='*.h' --include='*.cpp' '#include "app/cluster/ssh/' app | grep -vE '^app/cluster/(ssh|hosts)/|ssh/config\.h"')
[ -n "$hits" ] && offend "sessions over SSH are opened by app/cluster/hosts:
$hits"

# libssh is known to app/cluster/ssh alone.
hits=$(grep -rlE --include='*.h' --include='*.cpp' "include[[:space:]]+[<\"]($ssh)" engine agent storage app 2>/dev/null | grep -vE '^app/cluster/ssh/')
[ -n "$hits" ] && offend "libssh outside app/cluster/ssh:
$hits"

# torch lives in engine/nn and engine/cuda (and the tests and bench of them) alone.
hits=$(grep -rlE --include='*.h' --include='*.cpp' "^[[:space:]]*#[[:space:]]*include[[:space:]]+[<\"]($torch)" engine agent storage app 2>/dev/null | grep -vE '^engine/(nn|cuda)/')
[ -n "$hits" ] && offend "torch outside engine/nn:
$hits"
# SQL headers only in storage, and in the bench that measures it.
hits=$(grep -rlE --include='*.h' --include='*.cpp' "include[[:space:]]+[<\"]sqlite3" engine agent app 2>/dev/null)
[ -n "$hits" ] && offend "sqlite outside storage:
$hits"

# Text becomes JSON in the bounded reader alone: nlohmann's own parsers take any depth and any length.
hits=$(grep -rnE --include='*.h' --include='*.cpp' --include='*.cu' '(json|Json|\bJ|basic_json(<[^()]*>)?)::(sax_)?(parse|accept|from_[a-z]+) *\(' engine agent storage app |
  grep -vE '^engine/core/json/json_text\.cpp:')
[ -n "$hits" ] && offend "JSON is read by engine/core/json/json_text.h:
$hits"

# Files that outlive the process are written through the door to the disk (engine/core/base/disk.h), whole ones by replaceFile(). Not the pid file.
hits=$(grep -rnE --include='*.h' --include='*.cpp' '(^|[^a-z])::(rename|fsync|fdatasync)\(|std::rename\(|std::ofstream|QSaveFile' engine agent storage app |
  grep -vE '^engine/core/base/disk\.cpp:|^agent/supervisor/supervise/supervisor\.cpp:')
[ -n "$hits" ] && offend "files are written through engine/core/base/disk.h:
$hits"

# Qt's moc reads headers alone (paceline_mocs in engine/paceline.cmake).
hits=$(grep -rlE --include='*.cpp' '\bQ_(OBJECT|GADGET|NAMESPACE)\b' app)
[ -n "$hits" ] && offend "Q_OBJECT outside a header:
$hits"

while read -r lines file; do
  [ "$file" = total ] && continue
  [ "$lines" -gt 400 ] && offend "$file: $lines lines, at most 400"
done < <(find engine agent storage app tests -name '*.cpp' -o -name '*.h' -o -name '*.cu' | xargs wc -l)

while read -r count folder; do
  [ "$count" -gt 34 ] && offend "$folder: $count files of its own, at most 34"
done < <(find engine agent storage app tests -type f -printf '%h\n' | sort | uniq -c)

exit $status
