// Files and folders of other tools that still grow: looked at every second in the background, and imported again when they have changed, as `paceline import --follow` does. Until the window
// closes or somebody ends it. GUI thread.
#pragma once

#include <string>
#include <vector>

#include <QObject>
#include <QString>
#include <QTimer>

#include "app/cluster/interop/import_patience.h"
#include "app/models/recorder_link.h"
#include "app/models/task_queue.h"

namespace paceline {

class FollowedFiles : public QObject {
  Q_OBJECT
 public:
  explicit FollowedFiles(RecorderLink& recorder, QObject* parent = nullptr);

  void follow(const std::string& path, const std::string& profile);  // what it has now was imported; again with another profile
  void end(const std::string& path);
  std::vector<std::string> paths() const;

 signals:
  void changed();  // which are followed
  void grown(const QString& path);  // its runs have more
  void failed(const QString& sentence);  // and it is not followed any more

 private:
  struct Followed {
    std::string path, profile, seen;  // seen: sizes and times of its files when it was imported last
    bool asking = false;
    interop::ImportPatience patience = {};
  };
  struct Look {
    std::string path, now;
  };
  void look();
  void take(const std::vector<Look>& looks);
  void importAgain(Followed& each, const std::string& now);
  struct Outcome {
    std::string problem;  // "": none
    Errc code = Errc::kFormat;
  };
  void imported(const std::string& path, const std::string& now, const Outcome& outcome);
  Followed* find(const std::string& path);

  RecorderLink& recorder_;
  std::vector<Followed> followed_;
  QTimer timer_;
  bool looking_ = false;
  TaskQueue tasks_;
};

}  // namespace paceline
