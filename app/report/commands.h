// What stands on a line of its own: {{figure ...}}, {{results ...}}, {{differences ...}}, {{lanes ...}}. Private to report.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "app/report/records.h"
#include "engine/core/base/error.h"

namespace paceline::report {

// Of a run that the head names and the store lacks: told once, in the head.
class KnownProblem : public Error {
 public:
  using Error::Error;
};

struct Scope {
  const Document& document;
  Records& records;
  const Titles& titles;
  std::set<std::string> missing{};  // names of the head with a run that the store lacks

  // The runs that a name of the head stands for, else the one that the store has. Throws Error{kStore}, KnownProblem.
  std::vector<std::string> storeWords(const std::string& word) const;
};

// Throws Error that says what is wrong.
std::vector<Piece> piecesOf(const Command& command, const Scope& scope);

}  // namespace paceline::report
