// A list of a draft's document as an editable table: follows the draft, and keeps what was typed and could not be read beside the row it
// was typed in until the list changes its length. GUI thread. A derived model calls watch() at the end of its constructor.
#pragma once

#include <map>
#include <string>

#include <QAbstractTableModel>

#include "app/models/experiment/experiment_draft.h"
#include "app/models/experiment/table_roles.h"

namespace paceline::experiment {

class DraftTable : public QAbstractTableModel {
  Q_OBJECT
 public:
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 protected:
  DraftTable(ExperimentDraft& draft, int columns, QObject* parent);
  void watch();
  virtual int documentRows() const = 0;

  ExperimentDraft& draft() const { return draft_; }
  const QString* refusedText(const std::string& pointer) const;  // nullptr: what was typed last was taken
  void refuse(const QModelIndex& index, const std::string& pointer, const QString& text, const std::string& message);
  void accept(const std::string& pointer);

 private:
  void follow();

  ExperimentDraft& draft_;
  int columns_, rows_ = 0;
  std::map<std::string, QString> refused_;  // pointer -> the text that was typed
};

}  // namespace paceline::experiment
