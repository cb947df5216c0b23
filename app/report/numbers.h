// The numbers that a report may name, and what their arithmetic gives. Pure; any thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/figures/figure.h"
#include "app/report/expression.h"

namespace paceline::report {

struct Value {
  std::optional<double> number{};  // mean over the runs that have it; of a share 0 to 1
  double deviation = 0;            // of the sample
  int runs = 1, of = 1;            // that have it
  int decimals = -1;               // -1: three digits
  std::string unit{};              // "%": a share
  std::string text{};              // instead of a number: a word, or why there is none: "not reached"
  bool missing = false;            // there might be a number, and there is none
};

struct NumberName {
  std::string name, help;  // "best_accuracy"; "Best accuracy of the run's evaluations"
};
std::vector<NumberName> runNumbers();   // of a run, words as "algorithm" too
std::vector<NumberName> nodeNumbers();  // of one of its nodes

// Throws Error{kFormat} where the operand's number, node or setting is not known. `runs`: not empty.
Value valueOf(const Operand& operand, const std::vector<const summary::RunSummary*>& runs, const Titles& titles);

// The expression's value, each operand looked up. Throws Error{kFormat} where a word takes part in arithmetic, and what `look` throws.
struct Lookup {
  std::function<Value(const Operand&)> operand;
  std::function<Value(const std::string& word)> word;
};
Value evaluated(const Expression& expression, const Lookup& look);

std::string textOf(const Value& value, const Format& format = {});  // "85.40 ± 0.31 %", "7.0 s", "not reached"

}  // namespace paceline::report
