// Parameters that a catalogue entry (algorithm, model, data set, partition) declares: they become the form, the checks and the help.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/core/json/finding.h"

namespace paceline {

using ParamValue = std::variant<bool, std::int64_t, double, std::string>;

enum class ParamType { kBoolean, kInteger, kReal, kChoice, kText };

// What a number may be at most where that depends on the rest of the document.
enum class Limit { kNone, kWorkers, kClasses, kSamplesPerWorker, kMinority };  // of the run, of its data set, of an even split; fewer than half of the workers

struct ParamSpec {
  std::string name;  // as in the JSON: lower_snake_case
  ParamType type = ParamType::kReal;
  ParamValue fallback;                // the default; has the type that `type` says
  std::optional<double> min, max;     // inclusive; numbers only
  std::vector<std::string> choices;   // kChoice only
  std::string help;                   // one sentence
  std::string unit;                   // "s", "bytes", "" ...
  Limit atMost = Limit::kNone;
  bool counts = false;                // kText only: growing whole numbers, see countsFromText()
  std::string label = {};             // what forms and messages call it; "": its name reads well, see labelOf()
  std::string part = {};              // the name that other entries give what plays this part; "": its own, see partOf()
  std::vector<std::string> choiceLabels = {};  // what forms call each of the choices; empty: they read well, see labelOf()
  bool advanced = false;              // few change it: forms fold it away
  bool file = false;                  // kText only: names a file; where that is one on this computer it is pinned by its content and travels with the run (pinned_file.h)
  bool code = false;                  // and what is in it is run: a person has confirmed that content
  bool younger = false;               // than its entry: at its default it is not in the document that a run keeps, nor in its hash
};

std::string labelOf(const ParamSpec& param);  // "Local learning rate", "Learning rate"
std::string labelOf(const ParamSpec& param, const std::string& choice);  // "crop and flip" of crop_flip
const std::string& partOf(const ParamSpec& param);  // "learning_rate" of ESync's local_lr

// Values by name. After completeParams() every declared parameter is present and in bounds.
class Params {
 public:
  Params() = default;
  explicit Params(std::map<std::string, ParamValue> values) : values_(std::move(values)) {}

  // Throw InvariantError when absent or of another type: the spec was validated before anyone asks.
  double real(std::string_view name) const;  // integers convert
  std::int64_t integer(std::string_view name) const;
  bool boolean(std::string_view name) const;
  const std::string& text(std::string_view name) const;

  bool has(std::string_view name) const { return values_.contains(std::string(name)); }
  void drop(const std::string& name) { values_.erase(name); }
  void set(std::string name, ParamValue value) { values_[std::move(name)] = std::move(value); }
  const std::map<std::string, ParamValue>& values() const { return values_; }
  bool operator==(const Params&) const = default;

 private:
  std::map<std::string, ParamValue> values_;
};

// Holds where a text parameter has one of these values; of an empty list: never.
struct ParamCase {
  std::string param = {};
  std::vector<std::string> values = {};
  bool holds(const Params& params) const;
};

// The value of that name; nullptr: there is none, or it is of another type.
template <class T>
const T* valueOf(const Params& params, std::string_view name) {
  const auto found = params.values().find(std::string(name));
  return found == params.values().end() ? nullptr : std::get_if<T>(&found->second);
}

// `given` in the type that the parameter declares; nullopt: a finding was added.
std::optional<ParamValue> converted(const ParamSpec& spec, const ParamValue& given, const std::string& pointer, std::vector<Finding>& findings);

// `given` with every default written out; unknown names, wrong types and bounds become findings below `pointer` ("/algorithm/params").
Params completeParams(const std::vector<ParamSpec>& specs, const Params& given, const std::string& pointer, std::vector<Finding>& findings);
// Without those of `params` that are younger than their entry and have their default.
void dropYounger(const std::vector<ParamSpec>& specs, Params& params);
// The same as completeParams(); the first thing that is off is thrown as Error{kSpec} with its place: `/model/params/init: ...`.
Params completed(const std::vector<ParamSpec>& specs, const Params& given, const std::string& pointer);

// Of `given`, values of `from`, what parameters that play the same part take as it is: what stays when another entry is chosen.
Params sharedParams(const std::vector<ParamSpec>& specs, const std::vector<ParamSpec>& from, const Params& given);

// "momentum", or {"local_lr", "Local learning rate"} where the name does not read well; last the name that others give what plays its part.
struct ParamName {
  ParamName(const char* id, const char* words = "", const char* same = "") : name(id), label(words), part(same) {}
  std::string name, label, part;
};
ParamSpec realParam(ParamName name, double fallback, std::optional<double> min, std::optional<double> max, std::string help, std::string unit = "");
ParamSpec integerParam(ParamName name, std::int64_t fallback, std::optional<double> min, std::optional<double> max, std::string help);
ParamSpec booleanParam(ParamName name, bool fallback, std::string help);
ParamSpec choiceParam(ParamName name, std::string fallback, std::vector<std::string> choices, std::string help);
ParamSpec textParam(ParamName name, std::string fallback, std::string help);
ParamSpec fileParam(ParamName name, std::string help);
ParamSpec codeFileParam(ParamName name, std::string help);
ParamSpec limited(ParamSpec param, Limit atMost);
ParamSpec advanced(ParamSpec param);
ParamSpec younger(ParamSpec param);  // and advanced
ParamSpec worded(ParamSpec param, std::vector<std::string> choiceLabels);  // one for each choice

}  // namespace paceline
