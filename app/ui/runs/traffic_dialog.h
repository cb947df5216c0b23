// What crossed the links of a run, counted on each level by both ends, and what its method has to send. GUI thread.
#pragma once

#include <memory>
#include <stop_token>

#include <QDialog>
#include <QStandardItemModel>

#include "app/models/task_queue.h"
#include "app/ui/widgets/controls.h"
#include "app/why/traffic.h"

namespace paceline::runs {

class TrafficDialog : public QDialog {
  Q_OBJECT
 public:
  TrafficDialog(QWidget* parent, const std::string& storePath, const std::string& run);
  ~TrafficDialog() override;

 private:
  struct Read {
    store::RunRow run{};
    std::shared_ptr<why::Ledger> ledger{};
  };
  void take(const Read& read);
  void showRounds(const why::Ledger& ledger, const QString& instead);  // instead: of what the method sends, where that is not known (yet)

  QLabel* words_ = widgets::wrapped(widgets::label(tr("Reading the records…")));
  QLabel* method_ = widgets::wrapped(widgets::label(QString()));
  QStandardItemModel links_, rounds_;
  QPushButton* copy_;
  QString csv_;
  std::stop_source closed_;
  TaskQueue tasks_;
};

}  // namespace paceline::runs
