// An experiment being written: a document, one run or a suite, behind a form and behind a JSON text, each of which changes the other. Validated a
// moment after every change. Every change is told with what was there before, so that it can be undone. GUI thread. Nothing here throws: errors
// become findings.
#pragma once

#include <cmath>
#include <concepts>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <QObject>
#include <QString>
#include <QTimer>

#include "app/models/experiment/draft_state.h"
#include "engine/core/spec/catalog.h"
#include "engine/core/spec/suite.h"

namespace paceline::experiment {

class ExperimentDraft : public QObject {
  Q_OBJECT
 public:
  enum class Source { kForm, kJson, kLoad };  // kLoad: another document, or an earlier state of this one

  explicit ExperimentDraft(QObject* parent = nullptr);

  void setCatalog(std::shared_ptr<const Catalog> catalog);
  const Catalog* catalog() const { return catalog_.get(); }

  const RunSpec& spec() const { return state_.spec; }
  const DraftState& state() const { return state_; }
  void restore(DraftState state);                           // not told as a change
  void load(RunSpec spec);                                  // of one run
  QString loadText(const std::string& json, const QString& what = {});  // a run or a suite; "" or why it cannot be read: then nothing is changed
  void edit(const std::function<void(RunSpec&)>& change, const QString& what = {});  // by the form; what: "Moving w1 to b"; "": as changeText() says
  void setJson(const QString& text);                        // by the editor
  QString json() const { return state_.text; }

  // A field whose text is no value at all: the spec keeps what it had, the finding ("Momentum must be `wanted`; it is `typed`.") stays until accept() of its
  // pointer or of one above it, or until another document is there.
  void refuse(const std::string& pointer, const std::string& wanted, const QString& typed, const std::string& label = {});  // label "": the member's own
  void accept(const std::string& pointer);
  const QString* refused(const std::string& pointer) const;  // what was typed there; nullptr: nothing was refused

  // "3", "1, 2, 5-7": one run each. Several make the document a suite that varies the seed.
  void setSeeds(const QString& text);

  // What stands at a place becomes a list of one value; a list or a range of them is then typed ("1, 2, 4", "1..8 step 2"; words where words stand), or
  // chosen by ids. endVary(): the first value stays.
  void vary(const std::string& pointer);
  void setVaried(const std::string& pointer, const QString& typed);
  void setVariedIds(const std::string& pointer, const std::vector<std::string>& ids);
  void endVary(const std::string& pointer);
  void setSearched(bool on);  // points are chosen instead of all combinations run; off: ranges become lists of their ends
  void changeSearch(const std::function<void(OrderedJson& search)>& change);  // its settings
  void leaveOut(const std::vector<std::vector<std::size_t>>& cells);  // of the suite as last validated: these and no others
  void removeRows(const std::string& list, const std::vector<int>& rows, const std::function<void(RunSpec&)>& change, const QString& what);  // what varies in them goes with them

  // Judges a document whose hosts and devices only the user's list of hosts knows; without it as the terminal does.
  using Judge = std::function<ParsedSpec(const RunSpec&, const Catalog&)>;
  void setJudge(Judge judge) { judge_ = std::move(judge); }

  struct Judged {
    std::vector<Finding> findings;  // of all runs, each once
    std::vector<SuiteAxis> axes;    // of a suite
    std::vector<std::vector<std::size_t>> positions;  // of its runs on them
    std::shared_ptr<const SearchSpace> search{};  // where the suite is searched: runs are then samples of what may be chosen
    std::vector<RunSpec> runs;      // completed; none while there is an error or no catalogue
  };
  Judged judged(const std::string& json) const;

  void validateNow();
  void validateSoon() { debounce_.start(); }
  bool validatesSoon() const { return debounce_.isActive(); }
  const std::vector<Finding>& findings() const { return findings_; }
  std::optional<Finding> findingAt(const std::string& pointer) const;  // of that place or below it, errors first
  int errorCount() const;
  // The data set that is not on this computer, of a run that trains here if there is one: then needed. nullptr: all are here, or not known.
  const DatasetEntry* missing(bool* needed = nullptr) const;
  const DatasetEntry* missing(const std::vector<RunSpec>& runs, bool* needed) const;  // as above, of other runs
  const std::vector<RunSpec>& runnable() const { return runs_; }  // of the last validation, in the order in which they run

  const SearchSpace* search() const { return search_.get(); }  // of the last validation; nullptr: all runs are made
  const std::vector<SuiteAxis>& axes() const { return axes_; }  // of the last validation; none: one run, or the suite cannot be read
  const std::vector<std::vector<std::size_t>>& positions() const { return positions_; }  // of the runs that are not left out

  // Chooses another entry of the catalogue at `pointer` ("/algorithm"), with the values that choose() of draft_state.h gives it.
  void choose(Choice RunSpec::*choice, const std::string& pointer, const std::string& id);
  // Sets a parameter of algorithm, model, dataset or partition from text as its ParamSpec wants it.
  void setParam(Choice RunSpec::*choice, const std::string& pointer, const ParamSpec& param, const QString& text);
  static QString paramText(const ParamValue& value);

 signals:
  void edited(const paceline::experiment::DraftState& before, const QString& what);  // the person's change; the state is the new one
  void specChanged(int source);  // ExperimentDraft::Source
  void findingsChanged();

 private:
  void putVaried(DraftState state);
  void setRange(const std::string& pointer, const QString& typed);
  void put(DraftState state, Source source, const QString& what = {});  // tells the change

  std::shared_ptr<const Catalog> catalog_;
  Judge judge_;
  DraftState state_;
  std::vector<Finding> findings_;
  std::vector<RunSpec> runs_;
  std::shared_ptr<const SearchSpace> search_;
  std::vector<SuiteAxis> axes_;
  std::vector<std::vector<std::size_t>> positions_;
  struct Refused {
    std::string wanted;
    QString typed;
    std::string found, label;  // found "": what was typed
  };
  std::map<std::string, Refused> refused_;
  QTimer debounce_;
};

// A number or a text of the document as a form shows it; "" is nullopt.
template <class T>
QString valueText(const T& value) {
  if constexpr (std::integral<T>) return QString::number(value);
  else if constexpr (std::floating_point<T>) return QString::number(value, 'g', 10);
  else return QString::fromStdString(value);
}
template <class T>
QString valueText(const std::optional<T>& value) { return value ? valueText(*value) : QString(); }

// What was typed into a value: "", or what it must be ("a number"); then the value is as it was.
template <class T>
const char* readValue(const QString& typed, T& into) {
  bool ok = false;
  if constexpr (std::integral<T>) {
    const qlonglong value = typed.trimmed().toLongLong(&ok);
    if (!ok || !std::in_range<T>(value)) return "a whole number";
    into = static_cast<T>(value);
  } else if constexpr (std::floating_point<T>) {
    const double value = typed.trimmed().toDouble(&ok);
    if (!ok || !std::isfinite(value)) return "a number";
    into = value;
  } else {
    into = typed.trimmed().toStdString();
  }
  return "";
}
template <class T>
const char* readValue(const QString& typed, std::optional<T>& into) {
  if (typed.trimmed().isEmpty()) return into.reset(), "";
  T value{};
  const char* wanted = readValue(typed, value);
  if (!*wanted) into = value;
  return wanted;
}

std::optional<std::vector<std::uint64_t>> parseSeeds(const QString& text);  // as readNumbers(), "5-7" too; nullopt: other than whole numbers from 0, or more than 100

}  // namespace paceline::experiment
