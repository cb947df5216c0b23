// What reports read of a store: runs by the words of a report, their summaries, figures that stay the same object while nothing new was recorded. One thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/figures/figure.h"
#include "app/report/report.h"
#include "storage/store/store.h"

namespace paceline::report {

class Records {
 public:
  explicit Records(std::string storePath) : path_(std::move(storePath)) {}

  void begin();  // of a report: looks at the store anew, and forgets which runs were used
  // By id, unique beginning of one, or name (the newest of it). Throws Error{kStore} that names the word.
  const store::RunRow& run(const std::string& word);
  const summary::RunSummary& numbers(const std::string& word, double target);  // without curves; until the next begin()
  Summaries summaries(const std::vector<std::string>& words, double target, const summary::Details& details);

  // `make` where the figure under this key is not known, or runs have recorded more since.
  std::shared_ptr<const Figure> figure(const std::string& key, const std::vector<std::string>& words, const std::function<Figure()>& make);
  const store::StoreReader& reader();
  std::string storeName() const;
  const std::vector<store::RunRow>& used() const { return used_; }  // since begin(), each once

 private:
  struct Kept {
    std::string of;  // what the store had of the run
    summary::RunSummary summary;
    int age = 0;
  };
  struct KeptFigure {
    std::string of;
    std::shared_ptr<const Figure> figure;
    int age = 0;
  };
  std::string stateOf(const store::RunRow& row);

  std::string path_;
  std::unique_ptr<store::StoreReader> reader_;
  std::map<std::string, store::RunRow> found_;  // by word, since begin()
  std::map<std::string, std::string> states_;   // by id, since begin()
  std::vector<store::RunRow> used_;
  std::map<std::pair<std::string, double>, Kept> numbers_;
  std::map<std::string, KeptFigure> figures_;
  int round_ = 0;
};

}  // namespace paceline::report
