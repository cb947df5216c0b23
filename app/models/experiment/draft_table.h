// A list of a draft's document as an editable table: a row an element, a column a member of it. Follows the draft; text
// that cannot be read stays in its cell until the list changes its length. GUI thread. A derived model calls watch() at the end of its constructor.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "app/models/column_table.h"
#include "app/models/experiment/experiment_draft.h"

namespace paceline::experiment {

QStringList workerNames(const RunSpec& spec);

class DraftTable : public ColumnTable {
  Q_OBJECT
 public:
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 protected:
  using Change = std::function<void(RunSpec&)>;
  // `list`: its pointer; `members`: below an element's pointer, one for each heading.
  DraftTable(ExperimentDraft& draft, const char* list, std::span<const Heading> headings, std::span<const char* const> members, QObject* parent);
  void watch();
  virtual int documentRows() const = 0;
  virtual QString shown(int row, int column) const = 0;
  virtual QStringList choices(int row, int column) const = 0;
  virtual Change changeTo(int row, int column, const QString& text, std::string& wrong) = 0;  // `wrong`: the finding of a text that cannot be read
  virtual std::optional<Finding> finding(int row, int column) const;
  virtual QString empty() const { return {}; }  // shown in place of no text

  ExperimentDraft& draft() const { return draft_; }
  std::string pointer(int row, int column) const;

 private:
  int rows() const final { return rows_; }
  QVariant cell(int row, int column, int role) const final;
  void follow();

  ExperimentDraft& draft_;
  const char* list_;
  std::span<const char* const> members_;
  int rows_ = 0;
  std::map<std::string, QString> refused_;  // pointer -> the text that was typed
};

}  // namespace paceline::experiment
