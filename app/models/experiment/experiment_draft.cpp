#include "app/models/experiment/experiment_draft.h"

#include <algorithm>

#include <QStringList>

#include "app/cluster/worker/worker_answer.h"
#include "engine/core/base/error.h"

namespace paceline::experiment {
namespace {

constexpr int kDebounceMs = 150;
constexpr std::size_t kMostSeeds = 100;

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

void ExperimentDraft::refuse(const std::string& pointer, const char* wanted, const QString& typed) {
  refused_[pointer] = {wanted, typed};
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
  if (!seeds) return refuse("/seed", "whole numbers such as 1, 2 or 1-5", text);
  accept("/seed");
  seeds_ = *seeds;
  edit([&](RunSpec& spec) { spec.seed = seeds->front(); });
}

QString ExperimentDraft::seedsText() const {
  QStringList parts;
  for (const std::uint64_t seed : seeds_) parts << QString::number(seed);
  return parts.join(", ");
}

void ExperimentDraft::validateNow() {
  debounce_.stop();
  completed_.reset();
  findings_.clear();
  for (const auto& [pointer, refused] : refused_)
    findings_.push_back({.pointer = pointer, .message = strCat("must be ", refused.wanted, ", got \"", refused.typed.toStdString(), "\""), .error = true});
  if (!jsonFindings_.empty()) {
    findings_.insert(findings_.end(), jsonFindings_.begin(), jsonFindings_.end());
  } else {
    // The parser checks bounds, the catalogue names; a form can break either.
    ParsedSpec parsed = parseRunSpec(toJsonText(spec_));
    findings_.insert(findings_.end(), parsed.findings.begin(), parsed.findings.end());
    if (catalog_ && !hasErrors(parsed.findings)) {
      ParsedSpec judged = judge_ ? judge_(spec_, *catalog_) : worker::checkedSpec(spec_, *catalog_);
      findings_.insert(findings_.end(), judged.findings.begin(), judged.findings.end());
      if (!hasErrors(findings_)) completed_ = std::move(judged.spec);
    }
  }
  emit findingsChanged();
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
  ParamValue value = text.trimmed().toStdString();
  const char* wanted = "";
  if (param.type == ParamType::kBoolean) value = text.trimmed() == "true";
  if (param.type == ParamType::kInteger) wanted = readValue(text, value.emplace<std::int64_t>());
  if (param.type == ParamType::kReal) wanted = readValue(text, value.emplace<double>());
  if (*wanted) return refuse(place, wanted, text);
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
