// Questions to paceline-worker on this computer (describe, data, split), one thread each; and the documents that they are about.
#pragma once

#include <stop_token>

#include "engine/core/json/json_text.h"
#include "engine/core/record/label_counts.h"
#include "engine/core/spec/catalog.h"

namespace paceline::worker {

// All of its stdout, after `input` on its stdin. `worker` is the program's path (paceline itself answers as well). Throws Error{kHost} with what it said when it fails or takes longer than `seconds`.
std::string workerAnswer(const std::string& worker, const std::vector<std::string>& arguments, double seconds, std::stop_token stop = {},
                         const std::string& input = {});

// The same of the worker program beside this one, as the JSON object that it writes; Error{kHost} where it is none.
Json workerDocument(const std::vector<std::string>& arguments, double seconds, std::stop_token stop = {}, const std::string& input = {});

// The catalogue of a host's worker program, kept in the cache folder so that asking again takes milliseconds.
// Describes `worker` (a path on this computer). What it said is reused while the program, the installed packages, the folders that hold
// data sets and the current folder are the same. Throws Error{kHost} with what it said.
Catalog describeWorker(const std::string& worker);
Catalog describeLocal();  // of the worker program beside this one

// A document's division of the training set among workers, computed by the worker program on this computer. Any thread.
struct SplitCounts {
  std::vector<std::string> workers;  // ids by rank
  std::vector<LabelCounts> counts;   // of each
  bool operator==(const SplitCounts&) const = default;
};

// Throws Error{kHost} with the worker's own sentence where there is no such split, Error{kFormat} for an answer that is none; gives up when asked to stop.
SplitCounts splitOfSpec(const RunSpec& spec, const std::stop_token& stop = {});

// A run's or a suite's document that is edited in place: everything that is not touched stays as it was written. Pure.
// Comments are passed over, and are not there when it is written. Throws Error{kSpec} with the first mistake.
OrderedJson documentOf(const std::string& text);

// The run's part: the document itself, or a suite's base.
OrderedJson& runOf(OrderedJson& document);
// Its nodes. Throws Error{kSpec} when there are none, or one is no object.
OrderedJson& nodesOf(OrderedJson& document);

std::string textOf(const OrderedJson& document);  // two blanks indented

// Findings of a document before its run, the same for window and terminal. Any thread; reads hosts.json.
// validate() with the hosts of the default book; a book that cannot be read is a finding of every node that is not on this computer.
ParsedSpec checkedSpec(const RunSpec& spec, const Catalog& catalog, const std::string& folder = {});  // folder: the document's; "": none

}  // namespace paceline::worker
