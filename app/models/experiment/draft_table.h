// Lists of a draft's document as editable tables. GUI thread.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "app/models/column_table.h"
#include "app/models/experiment/experiment_draft.h"

namespace paceline::experiment {

// A row an element, a column a member of it. Follows the draft; text that cannot be read is refused with a finding and stays in its cell until the
// list changes its length. A derived model calls watch() at the end of its constructor.
class DraftTable : public ColumnTable {
  Q_OBJECT
 public:
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

  bool mayVary(const QModelIndex& index) const;            // all but a node's name and what is a list already
  bool setVaries(const QModelIndex& index, bool on);       // its text is then a list or a range; false: nothing was changed

  struct Column : Heading {
    const char* member;  // below an element's pointer
  };
  using Member = std::variant<std::string*, Role*, int*, double*, std::optional<double>*, std::optional<std::int64_t>*, std::vector<double>*>;  // its type says how text becomes a value

 protected:

  template <class Columns>
  DraftTable(ExperimentDraft& draft, const char* list, const Columns& columns, QObject* parent)  // `list`: its pointer
      : ColumnTable(columns, parent), draft_(draft), list_(list) {
    for (const Column& column : columns) members_.push_back(column.member);
  }
  void watch();
  virtual int documentRows() const = 0;
  virtual Member member(RunSpec& spec, int row, int column) const = 0;
  virtual QStringList choices(int row, int column) const = 0;
  virtual void follow(const RunSpec& /*before*/, RunSpec& /*after*/, int /*row*/) const {}  // what else an edit of the row changes
  virtual std::optional<Finding> finding(int row, int column) const;
  virtual QString empty() const { return {}; }  // shown in place of no text

  ExperimentDraft& draft() const { return draft_; }
  std::string pointer(int row, int column) const;

  template <class Element>
  static void erase(std::vector<Element>& list, std::vector<int> rows) {
    std::sort(rows.rbegin(), rows.rend());
    for (const int row : rows)
      if (row >= 0 && row < static_cast<int>(list.size())) list.erase(list.begin() + row);
  }

 private:
  int rows() const final { return rows_; }
  QVariant cell(int row, int column, int role) const final;
  QString shown(int row, int column) const;
  void followDraft();

  ExperimentDraft& draft_;
  const char* list_;
  std::vector<const char*> members_;
  int rows_ = 0;
};

// The nodes of a draft: one row a node.
class NodesModel : public DraftTable {
  Q_OBJECT
 public:
  enum Column { kId, kRole, kHost, kDevice, kThreads, kSlowdown, kStep, kJitter, kSteps, kFetch, kEvaluate, kBandwidth, kLatency, kServe, kLostAfter, kShare, kColumns };

  // Chooser of hosts and of a host's devices; empty: this computer only.
  struct Choices {
    std::function<QStringList()> hosts;
    std::function<QStringList(const std::string& host)> devices;
  };
  void setChoices(Choices choices) { choices_ = std::move(choices); }

  explicit NodesModel(ExperimentDraft& draft, QObject* parent = nullptr);

  void addNode(Role role);  // a copy of the last of that role, with the next free name
  void removeRows(const std::vector<int>& rows);

 private:
  int documentRows() const override { return static_cast<int>(draft().spec().nodes.size()); }
  Member member(RunSpec& spec, int row, int column) const override;
  QString help(int column) const override;
  QStringList choices(int row, int column) const override;
  void follow(const RunSpec& before, RunSpec& after, int row) const override;
  QString empty() const override { return "–"; }

  Choices choices_;
};

// The edges that a draft lists: one row an edge.
class EdgesModel : public DraftTable {
  Q_OBJECT
 public:
  enum Column { kFrom, kTo, kEvery, kOffset, kColumns };

  explicit EdgesModel(ExperimentDraft& draft, QObject* parent = nullptr);

  void addEdge();  // between the first two workers that are not joined; with the intervals of the last edge
  void removeRows(const std::vector<int>& rows);

 private:
  int documentRows() const override { return static_cast<int>(draft().spec().edges.size()); }
  Member member(RunSpec& spec, int row, int column) const override;
  QStringList choices(int row, int column) const override;
  std::optional<Finding> finding(int row, int column) const override;
};

// The workers of a draft with the group of each; the last column is chosen. Groups are numbered from 1 in the document's order; a group that loses
// its last member is gone.
class GroupsModel : public ColumnTable {
  Q_OBJECT
 public:
  enum Column { kWorker, kHost, kSpeed, kGroup, kColumns };
  // Steps per second of every worker against the fastest, 0 to 1, by id; a worker whose host was never measured is missing.
  using Speeds = std::function<std::map<std::string, double>(const RunSpec&)>;

  GroupsModel(ExperimentDraft& draft, Speeds speeds, QObject* parent = nullptr);

  void eachAlone();
  void allTogether();
  void none();                // takes the groups out of the document
  QString bySpeed(int groups);  // 0: as many as fit the speeds best. "" or why not: then nothing is changed

  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 private:
  int rows() const override { return static_cast<int>(workers_.size()); }
  QVariant cell(int row, int column, int role) const override;
  QVariant shown(const std::string& worker, int column) const;
  int groupOf(const std::string& worker) const;  // 0: none
  void put(const std::vector<int>& groups);      // of every worker, 0: none
  std::vector<int> groups() const;
  void follow();

  ExperimentDraft& draft_;
  Speeds speeds_;
  std::vector<std::string> workers_;  // ids, by rank
};

}  // namespace paceline::experiment
