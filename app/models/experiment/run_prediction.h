// How fast the run that is being written will be, or each run of its suite: asked of the simulator a moment after an edit, in the background; a newer edit takes the question back.
// GUI thread; signals are queued.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <QObject>
#include <QStringList>
#include <QTimer>

#include "app/figures/lanes/lanes.h"
#include "app/models/clusters/hosts_model.h"
#include "app/models/experiment/experiment_draft.h"
#include "app/models/task_queue.h"
#include "app/predict/predict.h"

namespace paceline::experiment {

class RunPrediction : public QObject {
  Q_OBJECT
 public:
  // Predicts one run, with the speeds of hosts as measured. Called on a thread of this object's; throws Error with a sentence.
  using Ask = std::function<predict::Prediction(const RunSpec& spec, const std::vector<predict::HostSpeed>& hosts, const std::stop_token& stop)>;
  using Hosts = std::function<std::vector<predict::HostSpeed>()>;
  RunPrediction(ExperimentDraft& draft, Hosts hosts, Ask ask, QObject* parent = nullptr);
  ~RunPrediction() override;

  void setWatched(bool watched, const void* by = nullptr);  // nothing is asked while nobody sees it
  void again();                   // the store or the hosts may know more than they did
  const predict::Prediction* prediction() const { return prediction_.get(); }  // nullptr: none yet, or problem() says why not
  std::shared_ptr<const lanes::Timeline> timeline() const { return timeline_; }
  const QString& problem() const { return problem_; }
  bool pending() const { return answered_ != asked_ || soon_.isActive(); }
  QStringList lines() const;   // what is predicted, a sentence a line
  QString sources() const;     // by what
  QString suiteTime() const;     // of all runs of a suite one after the other: "about 12 min"; "": not known of all of them
  QString suiteSources() const;  // by what
  std::vector<std::string> keptFor(const std::vector<RunSpec>& runs) const;  // to be kept with each; "" where it was not predicted

 signals:
  void changed();

 private:
  void follow();
  void ask();
  void askOf(std::size_t place);
  QString suiteLine() const;

  ExperimentDraft& draft_;
  Hosts hosts_;
  Ask ask_;
  std::set<const void*> watchers_;
  std::vector<std::string> ofRuns_;  // key of each run that can be started, in order; of a search or a large suite of the first alone
  std::vector<std::string> keys_;  // of what was last asked for: the first run's, then the others' of a suite
  std::vector<RunSpec> asks_;      // of the same; the draft may be another one while they are answered
  std::map<std::string, std::shared_ptr<const predict::Prediction>> others_;  // by key, the first among them; nullptr: it cannot be predicted
  int asked_ = 0, answered_ = 0;
  std::shared_ptr<const predict::Prediction> prediction_;
  std::shared_ptr<const lanes::Timeline> timeline_ = std::make_shared<const lanes::Timeline>();
  QString problem_;
  std::stop_source older_;
  QTimer soon_;
  TaskQueue tasks_;
};

std::vector<predict::HostSpeed> speedsOf(const clusters::HostsModel& hosts);

// By what a store knows and the simulator of this computer.
RunPrediction::Ask localPrediction(const std::string& storePath);

}  // namespace paceline::experiment
