#include "storage/interchange/foreign/foreign_run.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>

#include "engine/core/base/error.h"
#include "engine/core/base/hash.h"
#include "engine/core/base/text.h"

namespace fs = std::filesystem;

namespace paceline::interchange {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr int kMostNamed = 12;

const std::vector<std::string>& roles() {
  static const std::vector<std::string> kRoles = {"accuracy", "loss", "evaluation_loss", "samples", "step", "time", "run", "name", "value", "separator"};
  return kRoles;
}

// Names that people give to what we have a place for, plain, the likeliest first. Told names count as they are written.
const std::vector<const char*>& usualNames(const std::string& role) {
  static const std::map<std::string, std::vector<const char*>> kNames = {
      {"accuracy", {"test/accuracy", "test/acc", "accuracy/test", "eval/accuracy", "evaluation/accuracy", "val/accuracy", "val/acc", "validation/accuracy", "accuracy/val", "accuracy/validation", "epoch/val/accuracy", "accuracy", "acc", "epoch/accuracy"}},
      {"evaluation_loss", {"test/loss", "loss/test", "eval/loss", "evaluation/loss", "val/loss", "validation/loss", "loss/val", "loss/validation"}},
      {"loss", {"train/loss", "training/loss", "loss/train", "loss", "epoch/loss"}},
      {"samples", {"samples", "train/samples", "samples/trained"}}};
  static const std::vector<const char*> kNone;
  const auto found = kNames.find(role);
  return found == kNames.end() ? kNone : found->second;
}

std::string plain(const std::string& name) {  // "Train_Loss" and "train.loss" are "train/loss"
  std::string text = lowerCase(name);
  std::ranges::replace_if(text, [](char c) { return c == '_' || c == '.' || c == ' ' || c == '-'; }, '/');
  return text;
}

const ForeignSeries* seriesFor(const ForeignRun& run, const ImportProfile& profile, const std::string& role) {
  const auto named = [&run](const auto& is) {
    const auto found = std::ranges::find_if(run.series, is);
    return found == run.series.end() ? nullptr : &*found;
  };
  if (const std::string* name = profile.find(role)) return named([&](const ForeignSeries& series) { return series.name == *name; });
  for (const char* name : usualNames(role))
    if (const ForeignSeries* series = named([&](const ForeignSeries& each) { return plain(each.name) == name; })) return series;
  return nullptr;
}

// Numbers that stay the same when more is read: of each kind of record and series a range of its own.
constexpr std::int64_t kRange = std::int64_t{1} << 32;

// A run of another tool as rows of ours: one worker that trained all.
class Rows {
 public:
  Rows(const ForeignRun& run, const ImportProfile& profile) : run_(run), profile_(profile), began_(beginning()) {}

  store::RunRow row(const std::string& id) {
    store::RunRow row;
    row.id = id, row.name = run_.name, row.state = store::RunState::kImported, row.error = run_.error, row.source = run_.tool, row.tags = run_.tags;
    row.seed = wholeSetting("seed");
    row.createdUtc = row.startedUtc = std::isfinite(began_) ? began_ : unixNow();
    row.endedUtc = run_.endedUtc;
    row.model = textSetting({"model", "network", "arch"}), row.dataset = textSetting({"dataset", "data"}), row.algorithm = textSetting({"algorithm"});
    row.notes = notes();
    row.groupHash = run_.group.empty() ? "" : sha256Hex(strCat(run_.tool, "\n", run_.group)).substr(0, 16);
    OrderedJson versions;
    versions["imported_from"] = run_.origin, versions["imported_by"] = run_.tool;
    if (!run_.group.empty()) versions["group"] = run_.group;
    if (!run_.settings.empty()) versions["settings"] = run_.settings;
    row.versions = versions.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
    return row;
  }

  store::NodeRow node(const std::string& id) const { return {.run = id, .id = kNode, .role = "worker", .host = "", .device = "", .rank = 0}; }

  std::vector<StampedEvent> events(const std::string& id) {
    std::vector<StampedEvent> events;
    const auto add = [&](std::int64_t range, std::int64_t place, Event event) { events.push_back({.run = id, .node = kNode, .seq = range * kRange + place + 1, .event = std::move(event)}); };
    addRounds(add);
    addEvaluations(add);
    for (std::size_t i = 0; i < run_.series.size(); ++i)
      for (std::size_t place = 0; place < run_.series[i].points.size(); ++place) {
        const ForeignPoint& point = run_.series[i].points[place];
        add(static_cast<std::int64_t>(i) + 2, static_cast<std::int64_t>(place), MetricRecord{.round = point.step, .t = since(point), .name = run_.series[i].name, .value = point.value});
      }
    return events;
  }

 private:
  static constexpr const char* kNode = "worker";

  double beginning() const {
    double first = run_.beganUtc > 0 ? run_.beganUtc : std::numeric_limits<double>::infinity();
    for (const ForeignSeries& series : run_.series)
      for (const ForeignPoint& point : series.points)
        if (point.unixTime > 0) first = std::min(first, point.unixTime);
    return std::isfinite(first) ? first : kUnknown;
  }
  double since(const ForeignPoint& point) const { return point.unixTime - began_; }

  std::uint64_t wholeSetting(const char* name) const {
    const auto found = run_.settings.find(name);
    if (found == run_.settings.end() || !found->is_number()) return 0;
    const auto value = found->get<double>();  // HParams knows no whole numbers
    return found->is_number_unsigned() ? found->get<std::uint64_t>() : value >= 0 && value < 9e15 && value == std::floor(value) ? static_cast<std::uint64_t>(value) : 0;
  }
  std::string textSetting(const std::vector<const char*>& names) const {
    for (const char* name : names)
      if (const auto found = run_.settings.find(name); found != run_.settings.end() && found->is_string()) return found->get<std::string>();
    return "";
  }

  template <class Add>
  void addRounds(const Add& add) const {
    const ForeignSeries* loss = seriesFor(run_, profile_, "loss");
    if (loss == nullptr) return;
    const std::map<std::int64_t, double> samples = bySteps(seriesFor(run_, profile_, "samples"));
    double before = 0, trained = 0;
    for (std::size_t i = 0; i < loss->points.size(); ++i) {
      const ForeignPoint& point = loss->points[i];
      RoundRecord round;  // what the file does not say stays 0: the summary takes that for not known
      round.round = point.step, round.t = since(point), round.total = std::max(0.0, round.t - before);
      before = round.t;
      round.loss = point.value;
      if (const auto now = samples.find(point.step); now != samples.end() && std::abs(now->second) < 9e15) round.samples = std::llrint(std::max(0.0, now->second - trained)), trained = now->second;
      add(0, static_cast<std::int64_t>(i), round);
    }
  }

  template <class Add>
  void addEvaluations(const Add& add) const {
    const ForeignSeries* accuracy = seriesFor(run_, profile_, "accuracy");
    if (accuracy == nullptr) return;
    const std::map<std::int64_t, double> losses = bySteps(seriesFor(run_, profile_, "evaluation_loss")), samples = bySteps(seriesFor(run_, profile_, "samples"));
    for (std::size_t i = 0; i < accuracy->points.size(); ++i) {
      const ForeignPoint& point = accuracy->points[i];
      const auto loss = losses.find(point.step), trained = samples.find(point.step);
      add(1, static_cast<std::int64_t>(i),
          EvaluationRecord{.round = point.step, .t = since(point), .accuracy = point.value / (inPercent() ? 100 : 1), .loss = loss == losses.end() ? kUnknown : loss->second,
                           .samples = trained == samples.end() || !(std::abs(trained->second) < 9e15) ? 0 : std::llrint(trained->second)});
    }
  }

  static std::map<std::int64_t, double> bySteps(const ForeignSeries* series) {
    std::map<std::int64_t, double> values;
    if (series != nullptr)
      for (const ForeignPoint& point : series->points) values[point.step] = point.value;
    return values;
  }

  bool inPercent() const {
    const ForeignSeries* accuracy = seriesFor(run_, profile_, "accuracy");
    return accuracy != nullptr && std::ranges::any_of(accuracy->points, [](const ForeignPoint& point) { return point.value > 1.5; }) &&
           std::ranges::all_of(accuracy->points, [](const ForeignPoint& point) { return !(point.value > 100) && !(point.value < 0); });
  }

  std::string notes() const {
    std::string text = strCat(run_.notes, run_.notes.empty() ? "" : "\n", "Imported from ", run_.origin, ".");
    const auto say = [&](const std::string& sentence) { text += "\n" + sentence; };
    const auto sayRole = [&](const char* role, const char* becomes) {
      if (const ForeignSeries* series = seriesFor(run_, profile_, role)) say(strCat("\"", quotable(series->name), "\" is taken as ", becomes, "."));
    };
    sayRole("accuracy", inPercent() ? "the accuracy, in percent: divided by 100" : "the accuracy");
    sayRole("loss", "the loss in training"), sayRole("evaluation_loss", "the loss of evaluations"), sayRole("samples", "the samples trained so far");
    if (seriesFor(run_, profile_, "accuracy") == nullptr) {
      std::vector<std::string> names;
      for (const ForeignSeries& series : run_.series) names.push_back(series.name);
      const std::size_t more = names.size() > kMostNamed ? names.size() - kMostNamed : 0;
      names.resize(names.size() - more);
      say(strCat("None of its series is known to be an accuracy; --map accuracy=NAME says which: ", names.empty() ? "it has none" : listed(names), more > 0 ? strCat(" and ", more, " more") : "", "."));
    }
    for (const std::string& remark : run_.remarks) say(remark);
    return text;
  }

  const ForeignRun& run_;
  const ImportProfile& profile_;
  double began_;  // Unix s
};

std::map<std::string, std::string> knownOrigins(const std::string& store) {  // origin -> id
  std::map<std::string, std::string> ids;
  const store::StoreReader reader(store);
  for (const bool trashed : {false, true})
    for (const store::RunRow& run : reader.runs({.text = "", .trashed = trashed})) {
      const Json versions = jsonOrNull(run.versions);
      if (!versions.is_object() || !versions.contains("imported_from") || versions.value("imported_by", "") != run.source) continue;
      ids.emplace(strCat(run.source, "\n", versions.value("imported_from", "")), run.id);
    }
  return ids;
}

}  // namespace

ForeignSeries& ForeignRun::seriesNamed(const std::string& wanted) {
  const auto found = std::ranges::find(series, wanted, &ForeignSeries::name);
  return found == series.end() ? series.emplace_back(ForeignSeries{.name = wanted}) : *found;
}

void ImportProfile::set(const std::string& role, const std::string& name) {
  if (std::ranges::find(roles(), role) == roles().end()) throw Error(Errc::kUsage, strCat("\"", quotable(role), "\" is nothing that an import looks for; have ", listed(roles())));
  if (name.empty()) throw Error(Errc::kUsage, strCat("\"", role, "\" of an import has no name"));
  names_[role] = name;
}

void ImportProfile::take(const std::string& assignments) {
  for (std::size_t begin = 0; begin <= assignments.size();) {
    const std::size_t end = std::min(assignments.find(',', begin), assignments.size());
    const std::string each = assignments.substr(begin, end - begin);
    const std::size_t is = each.find('=');
    if (is == std::string::npos) throw Error(Errc::kUsage, strCat("\"", quotable(each), "\" must be ROLE=NAME, such as accuracy=val/acc"));
    set(each.substr(0, is), each.substr(is + 1));
    begin = end + 1;
  }
}

ImportProfile ImportProfile::fromJson(const std::string& text, const std::string& from) {
  const OrderedJson document = orderedJsonFrom(text, from);
  if (!document.is_object()) throw Error(Errc::kFormat, strCat(from, ": must be an object such as {\"accuracy\": \"val/acc\"}, it is ", described(document)));
  ImportProfile profile;
  for (const auto& [role, name] : document.items()) {
    if (!name.is_string()) throw Error(Errc::kFormat, strCat(from, ": ", role, " must be a name, it is ", described(name)));
    try {
      profile.set(role, name.get<std::string>());
    } catch (const Error& error) {
      throw Error(Errc::kFormat, strCat(from, ": ", error.what()));
    }
  }
  return profile;
}

const std::string* ImportProfile::find(const std::string& role) const {
  const auto found = names_.find(role);
  return found == names_.end() ? nullptr : &found->second;
}

std::string ImportProfile::text() const { return OrderedJson(names_).dump(-1, ' ', false, OrderedJson::error_handler_t::replace); }

std::vector<std::string> storeForeign(store::StoreWriter& store, const std::vector<ForeignRun>& runs, const ImportProfile& profile) {
  for (const char* role : {"accuracy", "loss", "evaluation_loss", "samples"})
    if (const std::string* name = profile.find(role); name != nullptr && std::ranges::none_of(runs, [&](const ForeignRun& run) { return seriesFor(run, profile, role) != nullptr; }))
      throw Error(Errc::kFormat, strCat(runs.empty() ? "it" : runs.front().origin, ": has no series \"", quotable(*name), "\" for ", role));
  const std::map<std::string, std::string> known = knownOrigins(store.path());
  std::vector<std::string> ids;
  store.together([&] {
    for (const ForeignRun& run : runs) {
      Rows rows(run, profile);
      const auto found = known.find(strCat(run.tool, "\n", run.origin));
      ids.push_back(found == known.end() ? store::newRunId() : found->second);
      if (found == known.end()) store.createRun(rows.row(ids.back()), std::vector{rows.node(ids.back())});
      store.append(rows.events(ids.back()));
    }
  });
  return ids;
}

const std::vector<ForeignFormat>& foreignFormats() {
  static const std::vector<ForeignFormat> kFormats = {kTensorBoard, kMlflow, kWandb, kTable};
  return kFormats;
}

const ForeignFormat* foreignFormatOf(const std::string& path, Told told) {
  const auto found = std::ranges::find_if(foreignFormats(), [&](const ForeignFormat& format) { return format.knows(path, told); });
  return found == foreignFormats().end() ? nullptr : &*found;
}

std::string beginningOf(const std::string& path, std::size_t bytes) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return "";
  std::ifstream file(path, std::ios::binary);
  std::string text(bytes, '\0');
  file.read(text.data(), static_cast<std::streamsize>(bytes));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  return text;
}

std::vector<std::string> filesBelow(const std::string& folder, const std::function<bool(const std::string& path)>& wanted) {
  constexpr std::size_t kMostEntries = 200'000;
  std::vector<std::string> files;
  std::error_code error;
  std::size_t seen = 0;
  for (fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error), end; !error && entry != end && ++seen < kMostEntries; entry.increment(error)) {
    std::error_code ignored;
    if (entry->is_regular_file(ignored) && wanted(entry->path().string())) files.push_back(entry->path().string());
  }
  std::ranges::sort(files);
  return files;
}

std::optional<double> numberFrom(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return std::nullopt;
  text = text.substr(first, text.find_last_not_of(' ') + 1 - first);
  double number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

OrderedJson settingFrom(const std::string& text) {
  if (text == "True" || text == "true") return true;
  if (text == "False" || text == "false") return false;
  std::int64_t whole = 0;
  const char* end = text.data() + text.size();
  if (const auto read = std::from_chars(text.data(), end, whole); !text.empty() && read.ec == std::errc() && read.ptr == end) return whole >= 0 ? OrderedJson(static_cast<std::uint64_t>(whole)) : OrderedJson(whole);
  if (const std::optional<double> number = numberFrom(text); number && std::isfinite(*number)) return *number;
  return text;
}

}  // namespace paceline::interchange
