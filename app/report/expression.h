// What stands between {{ and }} within a text: numbers of runs and what follows from them, "ssgd.time_to_target / esync.time_to_target : 2". Values; any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace paceline::report {

struct Operand {  // a number of a run (or of several seeds), of one of its nodes, or a setting of its document
  std::string run{};      // as written: a name of the head, an id, its beginning, a run's name
  std::string node{};     // "": the whole run
  std::string number{};   // "best_accuracy"
  std::string pointer{};  // "/batch_size"; instead of a number
  std::string text() const;
};

struct Term {
  char operation = 0;  // '+', '-', '*', '/'; 'm': minus of the left one; 0: a constant, an operand or a word
  double constant = 0;
  std::optional<Operand> operand{};
  std::string word{};  // "target", "made"
  std::shared_ptr<const Term> left{}, right{};
};

struct Format {
  std::optional<int> decimals{};
  std::optional<std::string> unit{};  // "%" of a share; "": none
};

struct Expression {
  std::string text{};  // as written
  std::shared_ptr<const Term> term{};
  Format format{};
};

// Throws Error{kFormat} that quotes what it does not understand.
Expression parseExpression(std::string_view text);

// Words separated by spaces or commas; "in quotes" is one word, in which \" is a quote. A '=' outside of quotes stays in its word. Throws Error{kFormat} for a quote without an end.
std::vector<std::string> wordsOf(std::string_view text);

}  // namespace paceline::report
