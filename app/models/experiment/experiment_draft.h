// An experiment being written: one RunSpec behind a form and behind a JSON text, each of which changes the other. Validated a moment after
// every change. GUI thread. Nothing here throws: errors become findings.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>
#include <QTimer>

#include "engine/core/spec/catalog.h"
#include "engine/core/spec/run_spec.h"

namespace paceline::experiment {

class ExperimentDraft : public QObject {
  Q_OBJECT
 public:
  enum class Source { kForm, kJson, kLoad };

  explicit ExperimentDraft(QObject* parent = nullptr);

  void setCatalog(std::shared_ptr<const Catalog> catalog);
  const Catalog* catalog() const { return catalog_.get(); }

  const RunSpec& spec() const { return spec_; }
  void load(RunSpec spec);                                  // preset, clone
  bool loadText(const std::string& json);                   // false: not even readable; findings say why
  void edit(const std::function<void(RunSpec&)>& change);   // by the form
  void setJson(const QString& text);                        // by the editor
  QString json() const { return json_; }

  // A field whose text is no value at all: the spec keeps what it had, the finding stays until accept().
  void refuse(const std::string& pointer, const std::string& message);
  void accept(const std::string& pointer);

  // "3", "1, 2, 5-7": one run each. Kept beside the document, whose seed is the first.
  void setSeeds(const QString& text);
  const std::vector<std::uint64_t>& seeds() const { return seeds_; }
  QString seedsText() const;

  // Judges hosts and devices, which only the user's list of hosts knows.
  struct PlaceRules {
    std::function<std::optional<std::vector<std::string>>()> hosts;  // that there are; nullopt: not known yet
    std::function<std::vector<Finding>(const RunSpec&)> judge;
  };
  void setPlaceRules(PlaceRules rules) { placeRules_ = std::move(rules); }

  void validateNow();
  void validateSoon() { debounce_.start(); }
  const std::vector<Finding>& findings() const { return findings_; }
  std::optional<Finding> findingAt(const std::string& pointer) const;  // of that place or below it, errors first
  int errorCount() const;
  std::vector<RunSpec> runnable() const;  // completed, one for each seed; empty while there are errors or no catalogue

  // Sets a parameter of algorithm, model, dataset or partition from text as its ParamSpec wants it.
  void setParam(Choice RunSpec::*choice, const std::string& pointer, const ParamSpec& param, const QString& text);
  static QString paramText(const ParamValue& value);

 signals:
  void specChanged(int source);  // ExperimentDraft::Source
  void findingsChanged();

 private:
  void changed(Source source);
  ParsedSpec checked() const;

  std::shared_ptr<const Catalog> catalog_;
  PlaceRules placeRules_;
  RunSpec spec_;
  std::optional<RunSpec> completed_;
  QString json_;
  std::vector<std::uint64_t> seeds_{1};
  std::vector<Finding> jsonFindings_, findings_;
  std::map<std::string, std::string> refused_;
  QTimer debounce_;
};

std::optional<std::vector<std::uint64_t>> parseSeeds(const QString& text);  // nullopt: not a list of whole numbers, or more than 100

}  // namespace paceline::experiment
