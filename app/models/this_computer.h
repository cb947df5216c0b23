// What `paceline-agent probe` says about this computer, asked for in the background. GUI thread.
#pragma once

#include <vector>

#include <QObject>
#include <QString>

#include "app/models/lane.h"

namespace paceline {

struct ProbeFact {
  QString name, value;
  bool ok = true;
};

class ThisComputer : public QObject {
  Q_OBJECT
 public:
  explicit ThisComputer(QObject* parent = nullptr);
  void probe();
  bool asking() const { return asking_; }
  const std::vector<ProbeFact>& facts() const { return facts_; }
  QString error() const { return error_; }

 signals:
  void changed();

 private:
  bool asking_ = false;
  std::vector<ProbeFact> facts_;
  QString error_;
  Lane lane_;
};

}  // namespace paceline
