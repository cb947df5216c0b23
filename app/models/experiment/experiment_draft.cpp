#include "app/models/experiment/experiment_draft.h"

#include <algorithm>

#include <QRegularExpression>

#include "app/cluster/worker/worker_answer.h"
#include "app/models/experiment/draft_vary.h"
#include "app/models/experiment/draft_words.h"
#include "engine/core/base/error.h"
#include "engine/core/json/fields.h"
#include "engine/core/spec/schema.h"
#include "engine/core/spec/suite.h"
#include "engine/core/spec/varied_values.h"

namespace paceline::experiment {
namespace {

constexpr int kDebounceMs = 150;
constexpr std::size_t kMostSeeds = 100;
constexpr std::size_t kMostRuns = 1000;  // of a suite: all are checked after every change

}  // namespace

std::optional<std::vector<std::uint64_t>> parseSeeds(const QString& text) {
  static const QRegularExpression kRange(R"((\d)\s*-\s*(\d))"), kSpace(R"((\d)\s+(?=\d))"), kEnd(R"([\s,]+$)");
  const VariedValues read = readNumbers(QString(text).remove(kEnd).replace(kRange, R"(\1..\2)").replace(kSpace, R"(\1,)").toStdString());
  std::vector<std::uint64_t> seeds;
  for (const OrderedJson& value : read.values) {
    if (!value.is_number_unsigned()) return std::nullopt;
    seeds.push_back(value.get<std::uint64_t>());
  }
  if (seeds.empty() || seeds.size() > kMostSeeds) return std::nullopt;
  return seeds;
}

ExperimentDraft::ExperimentDraft(QObject* parent) : QObject(parent) {
  debounce_.setSingleShot(true);
  debounce_.setInterval(kDebounceMs);
  connect(&debounce_, &QTimer::timeout, this, &ExperimentDraft::validateNow);
  state_.text = documentText(state_);
  debounce_.start();
}

void ExperimentDraft::setCatalog(std::shared_ptr<const Catalog> catalog) {
  catalog_ = std::move(catalog);
  emit specChanged(static_cast<int>(Source::kLoad));
  validateNow();
}

void ExperimentDraft::restore(DraftState state) {
  state_ = std::move(state);
  refused_.clear();
  emit specChanged(static_cast<int>(Source::kLoad));
  validateNow();
}

void ExperimentDraft::load(RunSpec spec) {
  DraftState state;
  state.spec = std::move(spec);
  state.text = documentText(state);
  refused_.clear();
  put(std::move(state), Source::kLoad);
  validateNow();
}

QString ExperimentDraft::loadText(const std::string& json, const QString& what) {
  DraftState state;
  if (const QString problem = readDraft(json, state); !problem.isEmpty()) return problem;
  refused_.clear();
  put(std::move(state), Source::kLoad, what);
  validateNow();
  return {};
}

void ExperimentDraft::edit(const std::function<void(RunSpec&)>& change, const QString& what) {
  DraftState state = state_;
  change(state.spec);
  if (state.spec == state_.spec) return debounce_.start();
  state.text = documentText(state);
  put(std::move(state), Source::kForm, what);
}

void ExperimentDraft::setJson(const QString& text) {
  if (text == state_.text) return;
  DraftState state = state_;
  if (readDraft(text.toStdString(), state).isEmpty()) refused_.clear();
  state.text = text;  // what cannot be read is a finding, and the form keeps what it shows
  put(std::move(state), Source::kJson);
}

void ExperimentDraft::put(DraftState state, Source source, const QString& what) {
  const DraftState before = std::exchange(state_, std::move(state));
  emit specChanged(static_cast<int>(source));
  debounce_.start();
  if (state_ != before) emit edited(before, what);
}

void ExperimentDraft::refuse(const std::string& pointer, const std::string& wanted, const QString& typed, const std::string& label) {
  refused_[pointer] = {.wanted = wanted, .typed = typed, .found = "", .label = label.empty() ? fieldLabel(pointer) : label};
  debounce_.start();
}

void ExperimentDraft::accept(const std::string& pointer) {
  if (std::erase_if(refused_, [&pointer](const auto& each) { return isAtOrBelow(each.first, pointer); }) > 0) debounce_.start();
}

const QString* ExperimentDraft::refused(const std::string& pointer) const {
  const auto found = refused_.find(pointer);
  return found == refused_.end() ? nullptr : &found->second.typed;
}

void ExperimentDraft::setSeeds(const QString& text) {
  const auto seeds = parseSeeds(text);
  if (!seeds) return refuse(kSeedPlace, "one or more whole numbers such as 1, 2 or 1-5", text);
  accept(kSeedPlace);
  DraftState state = state_;
  experiment::setSeeds(state, *seeds);
  putVaried(std::move(state));
}

void ExperimentDraft::putVaried(DraftState state) {
  state.text = documentText(state);
  if (state.spec != state_.spec || state.vary != state_.vary || state.skip != state_.skip || state.search != state_.search) put(std::move(state), Source::kForm);
}

void ExperimentDraft::vary(const std::string& pointer) {
  accept(pointer);
  const Json now = valueAt(pointer, state_.spec, catalog_.get());
  DraftState state = state_;
  if (now.is_string() || now.is_boolean()) setAxisIds(state, catalog_.get(), pointer, {now.is_string() ? now.get<std::string>() : now.get<bool>() ? "true" : "false"});
  else setAxis(state, pointer, {OrderedJson(now)});
  putVaried(std::move(state));
}

void ExperimentDraft::setVaried(const std::string& pointer, const QString& typed) {
  if (isRangeText(typed)) return setRange(pointer, typed);
  const VariedValues read = valueAt(pointer, state_.spec, catalog_.get()).is_string() ? readTexts(typed.toStdString()) : readNumbers(typed.toStdString());
  if (read.values.empty()) {
    const QString name = placeName(pointer, state_.spec, catalog_.get());
    refused_[pointer] = {.wanted = read.wanted, .typed = typed, .found = read.found, .label = name.toStdString()};
    return debounce_.start();
  }
  accept(pointer);
  DraftState state = state_;
  setAxis(state, axisOf(state, pointer).value_or(pointer), read.values);
  putVaried(std::move(state));
}

void ExperimentDraft::setRange(const std::string& pointer, const QString& typed) {
  const auto range = readRange(typed, valueAt(pointer, state_.spec, catalog_.get()));
  if (!range) {
    const QString name = placeName(pointer, state_.spec, catalog_.get());
    refused_[pointer] = {.wanted = "a range to search, such as search 0.001..1 log or search 16..256", .typed = typed, .found = "", .label = name.toStdString()};
    return debounce_.start();
  }
  accept(pointer);
  DraftState state = state_;
  experiment::setRange(state, pointer, *range);
  putVaried(std::move(state));
}

void ExperimentDraft::setSearched(bool on) {
  DraftState state = state_;
  if (on) beginSearch(state);
  else experiment::endSearch(state);
  putVaried(std::move(state));
}

void ExperimentDraft::changeSearch(const std::function<void(OrderedJson& search)>& change) {
  DraftState state = state_;
  change(state.search);
  putVaried(std::move(state));
}

void ExperimentDraft::setVariedIds(const std::string& pointer, const std::vector<std::string>& ids) {
  DraftState state = state_;
  setAxisIds(state, catalog_.get(), pointer, ids);
  putVaried(std::move(state));
}

void ExperimentDraft::endVary(const std::string& pointer) {
  const auto key = axisOf(state_, pointer);
  if (!key) return;
  accept(pointer);
  DraftState state = state_;
  endAxis(state, *key);
  putVaried(std::move(state));
}

void ExperimentDraft::leaveOut(const std::vector<std::vector<std::size_t>>& cells) {
  DraftState state = state_;
  experiment::leaveOut(state, axes_, cells);
  putVaried(std::move(state));
}

void ExperimentDraft::removeRows(const std::string& list, const std::vector<int>& rows, const std::function<void(RunSpec&)>& change, const QString& what) {
  DraftState state = state_;
  change(state.spec);
  forgetRows(state, list, rows);
  state.text = documentText(state);
  put(std::move(state), Source::kForm, what);
}

// The parser checks bounds, the catalogue names; a form can break either.
ExperimentDraft::Judged ExperimentDraft::judged(const std::string& json) const {
  Judged all;
  const auto addOnce = [&all](const std::vector<Finding>& findings) {
    for (const Finding& finding : findings)
      if (std::ranges::find(all.findings, finding) == all.findings.end()) all.findings.push_back(finding);
  };
  ParsedSuite suite = parseSuite(json);
  addOnce(suite.findings);
  if (suite.points.size() > kMostRuns) {
    addOnce({{"/vary", strCat("This suite makes ", suite.points.size(), " runs; the window takes at most ", kMostRuns, ": paceline run takes more.")}});
    return all;
  }
  all.axes = std::move(suite.axes);
  all.search = suite.search;
  for (const SuitePoint& point : suite.points) {
    all.positions.push_back(point.position);
    const ParsedSpec parsed = parseRunSpec(point.text);
    addOnce(parsed.findings);
    if (!catalog_ || hasErrors(parsed.findings)) continue;
    ParsedSpec checked = judge_ ? judge_(parsed.spec, *catalog_) : worker::checkedSpec(parsed.spec, *catalog_);
    std::erase_if(checked.findings, [](const Finding& each) { return each.pointer == "/dataset/id" && !each.error; });  // missing() has it
    addOnce(checked.findings);
    all.runs.push_back(std::move(checked.spec));
  }
  if (hasErrors(all.findings)) all.runs.clear();
  return all;
}

void ExperimentDraft::validateNow() {
  debounce_.stop();
  Judged all = judged(state_.text.toStdString());
  findings_.clear();
  for (const auto& [pointer, refused] : refused_)
    findings_.push_back({.pointer = pointer, .message = mustBe(refused.label, pointer, refused.wanted, refused.found.empty() ? strCat("\"", refused.typed.toStdString(), "\"") : refused.found), .error = true});
  findings_.insert(findings_.end(), all.findings.begin(), all.findings.end());
  search_ = std::move(all.search), axes_ = std::move(all.axes), positions_ = std::move(all.positions);
  runs_ = refused_.empty() ? std::move(all.runs) : std::vector<RunSpec>();
  emit findingsChanged();
}

const DatasetEntry* ExperimentDraft::missing(bool* needed) const { return runs_.empty() ? missing({state_.spec}, needed) : missing(runs_, needed); }

const DatasetEntry* ExperimentDraft::missing(const std::vector<RunSpec>& runs, bool* needed) const {
  const DatasetEntry* missing = nullptr;
  for (const RunSpec& run : runs) {
    const DatasetEntry* set = catalog_ ? findEntry(catalog_->datasets, run.dataset.id) : nullptr;
    if (!set || !isMissing(*set, run.dataset.params)) continue;
    if (!missing) missing = set;
    const bool here = std::ranges::any_of(run.nodes, [](const NodeSpec& node) { return node.role != Role::kServer && node.host == "local"; });
    if (here && needed) *needed = true;
    if (here) return set;
  }
  return missing;
}

std::optional<Finding> ExperimentDraft::findingAt(const std::string& pointer) const {
  std::optional<Finding> found;
  for (const Finding& finding : findings_)
    if (isAtOrBelow(finding.pointer, pointer) && (!found || (finding.error && !found->error))) found = finding;
  return found;
}

int ExperimentDraft::errorCount() const {
  return static_cast<int>(std::count_if(findings_.begin(), findings_.end(), [](const Finding& f) { return f.error; }));
}

void ExperimentDraft::choose(Choice RunSpec::*choice, const std::string& pointer, const std::string& id) {
  const CatalogEntry* next = entryAt(catalog_.get(), pointer, id);
  if (!next || (state_.spec.*choice).id == id) return;
  accept(pointer);  // what was refused belongs to the entry that is left
  DraftState state = state_;
  experiment::choose(state, choice, pointer, entryAt(catalog_.get(), pointer, (state_.spec.*choice).id), *next);
  state.text = documentText(state);
  put(std::move(state), Source::kForm);
}

void ExperimentDraft::setParam(Choice RunSpec::*choice, const std::string& pointer, const ParamSpec& param, const QString& text) {
  const std::string place = pointer + "/" + param.name;
  ParamValue value = text.trimmed().toStdString();
  const char* wanted = "";
  if (param.type == ParamType::kBoolean) value = text.trimmed() == "true";
  if (param.type == ParamType::kInteger) wanted = readValue(text, value.emplace<std::int64_t>());
  if (param.type == ParamType::kReal) wanted = readValue(text, value.emplace<double>());
  if (*wanted) return refuse(place, wanted, text, labelOf(param));
  accept(place);
  edit([&](RunSpec& spec) { (spec.*choice).params.set(param.name, value); });
}

QString ExperimentDraft::paramText(const ParamValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return QString::number(*whole);
  if (const auto* real = std::get_if<double>(&value)) return QString::number(*real, 'g', 12);
  return QString::fromStdString(std::get<std::string>(value));
}

}  // namespace paceline::experiment
