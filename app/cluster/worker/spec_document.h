// A run's or a suite's document that is edited in place: everything that is not touched stays as it was written. Pure.
#pragma once

#include <string>

#include "engine/core/json/json_text.h"
#include "engine/core/spec/catalog.h"

namespace paceline::worker {

// Throws Error{kSpec} with the first mistake.
OrderedJson documentOf(const std::string& text);

// The run's part: the document itself, or a suite's base.
OrderedJson& runOf(OrderedJson& document);
// Its nodes. Throws Error{kSpec} when there are none, or one is no object.
OrderedJson& nodesOf(OrderedJson& document);

std::string textOf(const OrderedJson& document);  // two blanks indented

// Findings of a document before its run, the same for window and terminal. Any thread; reads hosts.json.
// validate() with the hosts of the default book; a book that cannot be read is a finding of every node that is not on this computer.
ParsedSpec checkedSpec(const RunSpec& spec, const Catalog& catalog);

}  // namespace paceline::worker
