#include "app/models/experiment/experiment_draft.h"

#include <algorithm>

#include <QStringList>

#include "app/cluster/worker/spec_document.h"
#include "engine/core/base/error.h"

namespace paceline::experiment {
namespace {

constexpr int kDebounceMs = 150;
constexpr std::size_t kMostSeeds = 100;

bool isBelow(const std::string& pointer, const std::string& place) {
  return pointer == place || (pointer.size() > place.size() && pointer.compare(0, place.size(), place) == 0 && pointer[place.size()] == '/');
}

// A whole text that is a number of that type.
std::optional<ParamValue> valueFrom(const ParamSpec& param, const QString& text) {
  bool ok = false;
  switch (param.type) {
    case ParamType::kBoolean: return text == "true";
    case ParamType::kInteger: {
      const qlonglong n = text.toLongLong(&ok);
      return ok ? std::optional<ParamValue>(static_cast<std::int64_t>(n)) : std::nullopt;
    }
    case ParamType::kReal: {
      const double x = text.toDouble(&ok);
      return ok ? std::optional<ParamValue>(x) : std::nullopt;
    }
    case ParamType::kChoice:
    case ParamType::kText: break;
  }
  return text.toStdString();
}

}  // namespace

std::optional<std::vector<std::uint64_t>> parseSeeds(const QString& text) {
  std::vector<std::uint64_t> seeds;
  const QStringList parts = QString(text).replace(' ', ',').split(',', Qt::SkipEmptyParts);
  for (const QString& part : parts) {
    const QStringList ends = part.split('-');
    bool first = false, last = false;
    const qulonglong a = ends.front().toULongLong(&first), b = ends.back().toULongLong(&last);
    if (ends.size() > 2 || !first || !last || b < a || b - a >= kMostSeeds) return std::nullopt;
    for (qulonglong s = a; s <= b; ++s)
      if (std::find(seeds.begin(), seeds.end(), s) == seeds.end()) seeds.push_back(s);
  }
  if (seeds.empty() || seeds.size() > kMostSeeds) return std::nullopt;
  return seeds;
}

ExperimentDraft::ExperimentDraft(QObject* parent) : QObject(parent) {
  debounce_.setSingleShot(true);
  debounce_.setInterval(kDebounceMs);
  connect(&debounce_, &QTimer::timeout, this, &ExperimentDraft::validateNow);
  changed(Source::kLoad);
}

void ExperimentDraft::setCatalog(std::shared_ptr<const Catalog> catalog) {
  catalog_ = std::move(catalog);
  emit specChanged(static_cast<int>(Source::kLoad));
  validateNow();
}

void ExperimentDraft::load(RunSpec spec) {
  spec_ = std::move(spec);
  seeds_ = {spec_.seed};
  refused_.clear();
  jsonFindings_.clear();
  changed(Source::kLoad);
  validateNow();
}

bool ExperimentDraft::loadText(const std::string& json) {
  ParsedSpec parsed = parseRunSpec(json);
  const bool readable = std::none_of(parsed.findings.begin(), parsed.findings.end(), [](const Finding& f) { return f.pointer.empty() && f.error; });
  if (readable) load(std::move(parsed.spec));
  jsonFindings_ = std::move(parsed.findings);
  validateNow();
  return readable;
}

void ExperimentDraft::edit(const std::function<void(RunSpec&)>& change) {
  RunSpec before = spec_;
  change(spec_);
  jsonFindings_.clear();
  if (spec_ == before) return debounce_.start();
  changed(Source::kForm);
}

void ExperimentDraft::setJson(const QString& text) {
  if (text == json_) return;
  json_ = text;
  ParsedSpec parsed = parseRunSpec(text.toStdString());
  jsonFindings_ = std::move(parsed.findings);
  const bool readable = std::none_of(jsonFindings_.begin(), jsonFindings_.end(), [](const Finding& f) { return f.pointer.empty() && f.error; });
  if (!readable) return debounce_.start();  // the form keeps what it shows
  if (parsed.spec.seed != spec_.seed) seeds_ = {parsed.spec.seed};
  spec_ = std::move(parsed.spec);
  refused_.clear();
  changed(Source::kJson);
}

void ExperimentDraft::changed(Source source) {
  if (source != Source::kJson) json_ = QString::fromStdString(toJsonText(spec_, 2));
  emit specChanged(static_cast<int>(source));
  debounce_.start();
}

void ExperimentDraft::refuse(const std::string& pointer, const std::string& message) {
  refused_[pointer] = message;
  debounce_.start();
}

void ExperimentDraft::accept(const std::string& pointer) {
  if (refused_.erase(pointer) > 0) debounce_.start();
}

void ExperimentDraft::setSeeds(const QString& text) {
  const auto seeds = parseSeeds(text);
  if (!seeds) return refuse("/seed", strCat("needs whole numbers such as 1, 2 or 1-5, got \"", text.toStdString(), "\""));
  accept("/seed");
  seeds_ = *seeds;
  edit([&](RunSpec& spec) { spec.seed = seeds->front(); });
}

QString ExperimentDraft::seedsText() const {
  QStringList parts;
  for (const std::uint64_t seed : seeds_) parts << QString::number(seed);
  return parts.join(", ");
}

// As the terminal judges it, but with the window's copy of the list of hosts: nothing reads a file on this thread.
ParsedSpec ExperimentDraft::checked() const {
  if (!placeRules_.hosts) return worker::checkedSpec(spec_, *catalog_);
  ParsedSpec judged = validate(spec_, *catalog_, placeRules_.hosts().value_or(spec_.hosts()));
  const std::vector<Finding> places = placeRules_.judge(spec_);
  judged.findings.insert(judged.findings.end(), places.begin(), places.end());
  return judged;
}

void ExperimentDraft::validateNow() {
  debounce_.stop();
  completed_.reset();
  findings_.clear();
  for (const auto& [pointer, message] : refused_) findings_.push_back({.pointer = pointer, .message = message, .error = true});
  if (!jsonFindings_.empty()) {
    findings_.insert(findings_.end(), jsonFindings_.begin(), jsonFindings_.end());
  } else if (catalog_) {
    // The parser checks bounds, the catalogue names; a form can break either.
    ParsedSpec parsed = parseRunSpec(toJsonText(spec_));
    findings_.insert(findings_.end(), parsed.findings.begin(), parsed.findings.end());
    if (!hasErrors(parsed.findings)) {
      ParsedSpec judged = checked();
      findings_.insert(findings_.end(), judged.findings.begin(), judged.findings.end());
      if (!hasErrors(findings_)) completed_ = std::move(judged.spec);
    }
  }
  emit findingsChanged();
}

std::optional<Finding> ExperimentDraft::findingAt(const std::string& pointer) const {
  std::optional<Finding> found;
  for (const Finding& finding : findings_)
    if (isBelow(finding.pointer, pointer) && (!found || (finding.error && !found->error))) found = finding;
  return found;
}

int ExperimentDraft::errorCount() const {
  return static_cast<int>(std::count_if(findings_.begin(), findings_.end(), [](const Finding& f) { return f.error; }));
}

std::vector<RunSpec> ExperimentDraft::runnable() const {
  std::vector<RunSpec> runs;
  if (!completed_ || hasErrors(findings_)) return runs;
  for (const std::uint64_t seed : seeds_) {
    runs.push_back(*completed_);
    runs.back().seed = seed;
    if (seeds_.size() > 1) runs.back().name = strCat(completed_->name.empty() ? completed_->algorithm.id : completed_->name, " seed ", seed);
  }
  return runs;
}

void ExperimentDraft::setParam(Choice RunSpec::*choice, const std::string& pointer, const ParamSpec& param, const QString& text) {
  const std::string place = pointer + "/" + param.name;
  const auto value = valueFrom(param, text.trimmed());
  if (!value) return refuse(place, strCat("must be ", param.type == ParamType::kInteger ? "a whole number" : "a number", ", got \"", text.toStdString(), "\""));
  accept(place);
  edit([&](RunSpec& spec) { (spec.*choice).params.set(param.name, *value); });
}

QString ExperimentDraft::paramText(const ParamValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return QString::number(*whole);
  if (const auto* real = std::get_if<double>(&value)) return QString::number(*real, 'g', 12);
  return QString::fromStdString(std::get<std::string>(value));
}

}  // namespace paceline::experiment
