#include "storage/interchange/esync_format.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/core/base/error.h"
#include "engine/core/json/json_text.h"
#include "storage/summary/summary_published.h"
#include "storage/summary/table_text.h"

namespace paceline::interchange {
namespace {

constexpr std::string_view kNonIidFolder = "-niid", kNonIidSummary = "-Non-IID";
constexpr std::int64_t kMaxSteps = 1'000'000;  // of one round: more is a broken record, not an experiment

// Reads one iter file; every complaint names it and the key.
class IterationFile {
 public:
  IterationFile(const std::string& text, const std::string& file) : file_(file) {
    try {
      json_ = Json::parse(text);
    } catch (const Json::parse_error& error) {
      throw Error(Errc::kFormat, strCat(file, ": is not JSON: it breaks off or goes wrong at byte ", error.byte));
    }
    if (!json_.is_object()) refuse("", "must be one JSON object");
  }
  [[noreturn]] void refuse(const std::string& key, const std::string& what) const {
    throw Error(Errc::kFormat, strCat(file_, ": ", key.empty() ? "" : "\"" + key + "\" ", what));
  }
  const Json& at(const Json& object, const char* key, const std::string& path) const {
    const auto found = object.find(key);
    if (found == object.end()) refuse(path, "is missing");
    return *found;
  }
  double seconds(const Json& value, const std::string& path) const {
    if (!value.is_number())
      refuse(path, strCat("must be a number, got ", value.dump(-1, ' ', true, Json::error_handler_t::replace).substr(0, 40)));
    const auto number = value.get<double>();
    if (!std::isfinite(number) || number < 0) refuse(path, strCat("must be a number of seconds, got ", summary::numberText(number)));
    return number;
  }
  std::int64_t count(const char* key) const {
    const Json& value = at(json_, key, key);
    const bool fits = value.is_number_integer() && value.get<double>() >= 0 && value.get<double>() < 9e15;
    if (!fits) refuse(key, "must be a whole number that is not negative");
    return value.get<std::int64_t>();
  }
  double seconds(const char* key) const { return seconds(at(json_, key, key), key); }
  std::optional<double> accuracy() const {
    const auto found = json_.find("accuracy");
    if (found == json_.end()) return std::nullopt;
    if (!found->is_number()) refuse("accuracy", "must be a number");
    return found->get<double>();
  }
  // The entries of "time" in the order of their numbers.
  std::map<std::int64_t, const Json*> entries() const {
    const Json& time = at(json_, "time", "time");
    if (!time.is_object() || time.empty()) refuse("time", "must be an object with at least one entry");
    std::map<std::int64_t, const Json*> entries;
    for (const auto& [key, entry] : time.items()) {
      const bool number =
          !key.empty() && key.size() < 16 && std::all_of(key.begin(), key.end(), [](char c) { return c >= '0' && c <= '9'; });
      if (!number) refuse(strCat("time/", key), "must be named by a whole number");
      if (!entry.is_object()) refuse(strCat("time/", key), "must be an object");
      if (!entries.emplace(std::stoll(key), &entry).second) refuse(strCat("time/", key), "is there twice");
    }
    return entries;
  }

 private:
  std::string file_;
  Json json_;
};

void addPhases(const IterationFile& file, std::int64_t number, const Json& entry, RoundRecord& round) {
  const auto phase = [&](const char* name) {
    return entry.contains(name) ? file.seconds(entry[name], strCat("time/", number, "/", name)) : 0.0;
  };
  round.fetch += phase("get_batch");
  round.compute += phase("forward and backward");
  round.update += phase("local update");
  round.query += phase("check ready");
  round.evaluate += phase("evaluation");
}

// "global update" if it is there, else "global aggregate", which then must be.
double aggregateOf(const IterationFile& file, std::int64_t number, const Json& entry) {
  const char* name = entry.contains("global update") ? "global update" : "global aggregate";
  const std::string path = strCat("time/", number, "/", name);
  return file.seconds(file.at(entry, name, path), path);
}

// json.dump() of Python: ", " and ": ", keys in the order given.
class PythonObject {
 public:
  PythonObject& member(std::string_view key, std::string_view value) {
    text_ += strCat(text_.empty() ? "" : ", ", "\"", key, "\": ", value);
    return *this;
  }
  PythonObject& seconds(std::string_view key, double value) {
    return member(key, Json(std::isfinite(value) ? summary::rounded(value, 4) : 0.0).dump());
  }
  std::string text() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

PythonObject stepEntry(const RoundRecord& round, std::int64_t entries, std::int64_t steps, bool esync) {
  PythonObject entry;
  const auto share = [&](double sum) { return sum / static_cast<double>(steps); };
  if (esync) entry.seconds("check ready", round.query / static_cast<double>(entries));
  entry.seconds("get_batch", share(round.fetch)).seconds("forward and backward", share(round.compute));
  if (esync) entry.seconds("local update", share(round.update));
  return entry;
}

}  // namespace

const std::vector<EsyncMode>& esyncModes() {
  static const std::vector<EsyncMode> kModes = {
      {"esync", "esync", "ESync"}, {"sync", "ssgd", "Sync"}, {"async", "asgd", "Async"}, {"dcasgd", "dc_asgd", "DCASGD"}};
  return kModes;
}

std::optional<EsyncModeName> esyncModeOfFolder(std::string_view folder) {
  const bool nonIid = folder.ends_with(kNonIidFolder);
  if (nonIid) folder.remove_suffix(kNonIidFolder.size());
  for (const EsyncMode& mode : esyncModes())
    if (folder == mode.folder) return EsyncModeName{.mode = &mode, .nonIid = nonIid};
  return std::nullopt;
}

std::optional<EsyncModeName> esyncModeOfSummary(std::string_view file) {
  if (!file.ends_with(".json")) return std::nullopt;
  file.remove_suffix(5);
  const bool nonIid = file.ends_with(kNonIidSummary);
  if (nonIid) file.remove_suffix(kNonIidSummary.size());
  for (const EsyncMode& mode : esyncModes())
    if (file == mode.summary) return EsyncModeName{.mode = &mode, .nonIid = nonIid};
  return std::nullopt;
}

const EsyncMode* esyncModeOfAlgorithm(std::string_view algorithm) {
  for (const EsyncMode& mode : esyncModes())
    if (algorithm == mode.algorithm) return &mode;
  return nullptr;
}

std::string esyncModeList() {
  std::string list;
  for (const EsyncMode& mode : esyncModes()) list += strCat(list.empty() ? "" : ", ", mode.folder);
  return list + ", each also with -niid";
}

std::string modelOfNetwork(std::string network) {
  std::replace(network.begin(), network.end(), '-', '_');
  return network;
}

std::string networkOfModel(std::string model) {
  std::replace(model.begin(), model.end(), '_', '-');
  return model;
}

EsyncIteration parseEsyncIteration(const std::string& text, const std::string& file, std::int64_t n, bool esync) {
  const IterationFile source(text, file);
  EsyncIteration iteration;
  RoundRecord& round = iteration.round;
  static_cast<void>(source.count("num_iters"));  // must be there; the name's number counts, as for summary.py
  const std::map<std::int64_t, const Json*> entries = source.entries();
  round.round = n;
  for (const auto& [number, entry] : entries) addPhases(source, number, *entry, round);
  round.wait = aggregateOf(source, entries.rbegin()->first, *entries.rbegin()->second);
  round.samples = source.count("num_samples");
  round.t = source.seconds("total_time");
  round.localSteps = static_cast<std::int64_t>(entries.size()) - (esync ? 1 : 0);
  round.loss = std::numeric_limits<double>::quiet_NaN();  // never logged: not known, which is not 0
  iteration.accuracy = source.accuracy();
  return iteration;
}

std::int64_t esyncEntryCount(const RoundRecord& round, bool esync) {
  const std::int64_t steps = std::max<std::int64_t>(round.localSteps, esync ? 0 : 1);
  if (steps > kMaxSteps) throw Error(Errc::kFormat, strCat("round ", round.round, ": ", steps, " local steps cannot be right"));
  return steps + (esync ? 1 : 0);
}

std::string esyncIterationText(const EsyncIteration& iteration, bool esync) {
  const RoundRecord& round = iteration.round;
  const std::int64_t entries = esyncEntryCount(round, esync), steps = entries - (esync ? 1 : 0);
  PythonObject time;
  for (std::int64_t i = 0; i < entries; ++i) {
    PythonObject entry = i < steps ? stepEntry(round, entries, steps, esync) : PythonObject();
    if (i + 1 == entries) {
      if (esync) entry.seconds("check ready", round.query / static_cast<double>(entries));
      entry.seconds(esync ? "global update" : "global aggregate", summary::publishedAggregate(round));
      if (iteration.accuracy || round.evaluate > 0) entry.seconds("evaluation", round.evaluate);
    }
    time.member(std::to_string(i), entry.text());
  }
  PythonObject file;
  file.member("num_iters", std::to_string(round.round)).member("time", time.text());
  file.member("num_samples", std::to_string(round.samples));
  file.member("total_time", Json(std::isfinite(round.t) ? round.t : 0.0).dump());
  const bool told = iteration.accuracy && std::isfinite(*iteration.accuracy) && *iteration.accuracy != 0;
  if (told) file.member("accuracy", Json(*iteration.accuracy).dump());
  return file.text();
}

}  // namespace paceline::interchange
