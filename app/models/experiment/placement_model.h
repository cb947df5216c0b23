// Which node runs where: the nodes of a draft against the hosts of the book. Changes go into the draft (and so into its JSON and its undo).
// GUI thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <QObject>
#include <QStringList>

#include "app/models/experiment/experiment_draft.h"
#include "app/models/clusters/hosts_model.h"

namespace paceline::experiment {

// A document as the terminal judges it, but with the window's copy of the list of hosts and what their last checks say: nothing reads a file on this thread.
ParsedSpec judged(const RunSpec& spec, const Catalog& catalog, const clusters::HostsModel& hosts);

struct PlaceCard {
  std::string host;
  bool known = true;             // in the book
  clusters::HostStanding standing = clusters::HostStanding::kNotChecked;
  QString capabilities;          // "16 CPUs, 2 GPUs, 64 GB", next line "310 GFLOP/s"
  QStringList devices;           // never empty
  std::vector<std::string> nodes;  // ids, in the document's order
};

class PlacementModel : public QObject {
  Q_OBJECT
 public:
  PlacementModel(ExperimentDraft& draft, clusters::HostsModel& hosts, QObject* parent = nullptr);

  std::vector<PlaceCard> cards() const;  // hosts of the book, then those that only the document names
  const NodeSpec* node(const std::string& id) const;
  QStringList hosts() const;
  QStringList devices(const std::string& host) const;

  void move(const std::vector<std::string>& nodes, const std::string& host);
  void setDevice(const std::string& node, const std::string& device);
  void spreadEvenly(const std::vector<std::string>& hosts);  // round-robin in the document's order, as `paceline hosts place`
  QString sharesBySpeed();  // "" or why not: then nothing is changed
  void equalShares();
  QString normaliseShares();  // keeps proportions within a role, sums to exactly 1; "" or the reason against it
  std::map<std::string, double> speeds(const RunSpec& spec) const;  // of workers on measured hosts, against the fastest of them

 signals:
  void changed();
  void edited();  // the document only, not the hosts

 private:
  void fitDevice(NodeSpec& node) const;

  ExperimentDraft& draft_;
  clusters::HostsModel& hosts_;
};

}  // namespace paceline::experiment
