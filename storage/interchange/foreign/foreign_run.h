// A run of another tool, as far as its files tell: numbers over steps, settings, times. Readers fill it, storeForeign() makes a run of ours of it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/json/json_text.h"
#include "storage/store/store.h"

namespace paceline::interchange {

struct ForeignPoint {
  std::int64_t step = 0;
  double unixTime = 0;  // s; NaN: not told
  double value = 0;
};

struct ForeignSeries {
  std::string name;
  std::vector<ForeignPoint> points = {};
};

struct ForeignRun {
  std::string tool;    // "TensorBoard"
  std::string origin;  // its file or folder, absolute; with what tells runs of one file apart
  std::string name;
  std::string group = {};                             // of runs that differ in their seed
  OrderedJson settings = OrderedJson::object();       // its hyperparameters: names and values
  std::vector<ForeignSeries> series = {};             // in an order that stays as the files grow
  double beganUtc = 0, endedUtc = 0;                  // Unix s; 0: not told
  std::string error = {};                             // why it failed
  std::string notes = {};                             // a person's
  std::vector<std::string> tags = {}, remarks = {};   // remarks: what was left out, a sentence each

  ForeignSeries& seriesNamed(const std::string& name);
};

// What is what in files of other tools, as people say it: {"accuracy": "val/acc", "step": "iteration"}.
class ImportProfile {
 public:
  // Of all formats: accuracy, loss (of training), evaluation_loss, samples (trained so far). Of tables: step, time (Unix s), run, name and value (a row a number),
  // separator. Throws Error{kUsage} naming what is no such role.
  void set(const std::string& role, const std::string& name);
  void take(const std::string& assignments);  // "accuracy=val/acc,loss=train/loss"
  static ImportProfile fromJson(const std::string& text, const std::string& from);  // Error{kFormat}

  const std::string* find(const std::string& role) const;
  bool empty() const { return names_.empty(); }
  std::string text() const;  // as fromJson() takes it

 private:
  std::map<std::string, std::string> names_;
};

// Runs that the store has from the same origin get what is new; others become new runs. Returns the ids of all, in order. The series in the role of `accuracy` become
// evaluations, that of `loss` rounds; every series becomes a metric of its name. Without a profile these are found by the names that people give them.
std::vector<std::string> storeForeign(store::StoreWriter& store, const std::vector<ForeignRun>& runs, const ImportProfile& profile);

// Whether somebody said that it is to be imported: then a table may be one although no name of its columns says so.
enum class Told { kNothing, kImport };

// Who writes such files, and how they are known: by their bytes.
struct ForeignFormat {
  const char* tool;
  const char* what;  // "TensorBoard's event files"
  bool (*knows)(const std::string& path, Told told);  // a file, or a folder with such files in it
  std::vector<ForeignRun> (*read)(const std::string& path, const ImportProfile& profile);  // Error{kFormat, kFile} naming file and place
};
const std::vector<ForeignFormat>& foreignFormats();
const ForeignFormat* foreignFormatOf(const std::string& path, Told told);  // null: none

// The formats. Private to foreign_run.cpp.
extern const ForeignFormat kTensorBoard, kMlflow, kWandb, kTable;

// For readers: a file's first bytes, "" where it cannot be read; files below a folder of which `wanted` holds, in the order of their paths.
std::string beginningOf(const std::string& path, std::size_t bytes);
std::vector<std::string> filesBelow(const std::string& folder, const std::function<bool(const std::string& path)>& wanted);
// A number as tools write it, also "NaN" and "-inf", spaces around it passed over; nothing: it is none.
std::optional<double> numberFrom(std::string_view text);
// A setting that was told as text: a number or truth value where it is one.
OrderedJson settingFrom(const std::string& text);

}  // namespace paceline::interchange
