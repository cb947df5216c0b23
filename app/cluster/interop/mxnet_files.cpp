#include "app/cluster/interop/cluster_files.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <numeric>
#include <set>

#include "app/cluster/run/placement.h"
#include "engine/core/spec/data_sharding.h"
#include "engine/core/base/error.h"
#include "engine/core/base/text.h"

namespace paceline::interop {
namespace {

constexpr double kWhole = 1e-9;  // shares sum to 1 but for rounding

struct Mention {  // of a worker, in the groups file
  std::size_t line = 0, group = 0;
  std::string address;
  std::optional<std::size_t> slot;
  std::string word() const { return quotable(slot ? strCat(address, ":", *slot) : address); }
};

Mention mentionOf(const std::string& word, std::size_t line, std::size_t group) {
  Mention mention{.line = line, .group = group, .address = word, .slot = {}};
  const std::size_t colon = word.find(':');
  if (colon == std::string::npos || colon != word.rfind(':')) return mention;  // several: an IPv6 address
  std::size_t slot = 0;
  const auto [end, error] = std::from_chars(word.data() + colon + 1, word.data() + word.size(), slot);
  if (error == std::errc() && end == word.data() + word.size()) mention.slot = slot, mention.address = word.substr(0, colon);
  return mention;
}

class ConfReader {
 public:
  explicit ConfReader(const std::vector<ClusterWorker>& workers) : workers_(workers) { ranks_.resize(workers.size()), std::iota(ranks_.begin(), ranks_.end(), 0); }

  void groups(const NamedText& file) {
    const std::vector<Mention> mentions = mentionsOf(file);
    if (!result_.problems.empty()) return;
    const auto isId = [&](const Mention& m) { return !m.slot && std::any_of(workers_.begin(), workers_.end(), [&](const auto& w) { return w.id == m.address; }); };
    const auto isHost = [&](const Mention& m) { return !on(m.address).empty(); };
    if (std::any_of(mentions.begin(), mentions.end(), isId)) byId(file.path, mentions);
    else if (std::any_of(mentions.begin(), mentions.end(), isHost)) byHost(file.path, mentions);
    else byRank(file.path, mentions);
  }

  void dataSharding(const NamedText& file) {
    DataSharding sharding = readDataSharding(file.path, file.text, workers_.size());
    if (!sharding.problems.empty()) return void(std::move(sharding.problems.begin(), sharding.problems.end(), std::back_inserter(result_.problems)));
    std::vector<double> weights(workers_.size());
    double sum = 0;
    for (std::size_t rank = 0; rank < sharding.ranges.size(); ++rank) sum += weights[ranks_[rank]] = sharding.ranges[rank].share();
    result_.shares = run::exactShares(weights);
    if (std::abs(sum - 1) > kWhole) result_.notes.push_back(strCat(file.path, " gives away ", sum, " of the data; shares are scaled to sum to 1"));
  }

  MxnetCluster result() {
    if (!result_.problems.empty()) result_.groups.clear(), result_.shares.clear(), result_.notes.clear();
    return std::move(result_);
  }

 private:
  void problem(const std::string& path, std::size_t line, const std::string& what) { result_.problems.push_back(strCat(path, ":", line, ": ", what)); }

  std::vector<Mention> mentionsOf(const NamedText& file) {
    std::vector<Mention> mentions;
    std::size_t group = 0;
    for (const TextLine& line : linesOf(file.text)) {
      if (line.words.empty()) problem(file.path, line.number, "is empty: a group without workers in MXNet-G");
      for (const std::string& word : line.words) mentions.push_back(mentionOf(word, line.number, group));
      ++group;
    }
    if (group == 0) problem(file.path, 1, "there are no groups in it");
    result_.groups.resize(group);
    return mentions;
  }

  // Workers whose host has this name or address, by rank.
  std::vector<std::size_t> on(const std::string& address) const {
    std::vector<std::size_t> there;
    for (std::size_t i = 0; i < workers_.size(); ++i)
      if (workers_[i].host == address || (!workers_[i].address.empty() && workers_[i].address == address)) there.push_back(i);
    return there;
  }

  void join(const std::string& path, const Mention& mention, std::size_t worker) {
    if (!grouped_.insert(worker).second)
      return problem(path, mention.line, strCat("\"", mention.word(), "\": worker \"", workers_[worker].id, "\" is in a group already"));
    result_.groups[mention.group].push_back(workers_[worker].id);
  }

  void allJoined(const std::string& path, std::size_t line) {
    if (!result_.problems.empty()) return;
    for (std::size_t i = 0; i < workers_.size(); ++i)
      if (!grouped_.contains(i)) problem(path, line, strCat("worker \"", workers_[i].id, "\" on host \"", workers_[i].host, "\" is in no group"));
  }

  void byId(const std::string& path, const std::vector<Mention>& mentions) {
    for (const Mention& mention : mentions) {
      const auto found = std::find_if(workers_.begin(), workers_.end(), [&](const ClusterWorker& worker) { return !mention.slot && worker.id == mention.address; });
      if (found == workers_.end()) problem(path, mention.line, strCat("\"", mention.word(), "\" is no worker of the document, as others here are"));
      else join(path, mention, static_cast<std::size_t>(found - workers_.begin()));
    }
    allJoined(path, mentions.back().line);
  }

  // Gives every mention without a number the next one of its address. False: some have one and some have not.
  bool number(const std::string& path, std::vector<Mention>& mentions) {
    std::map<std::string, std::size_t> next, numbered;
    for (const Mention& mention : mentions)
      if (mention.slot) numbered.emplace(mention.address, mention.line);
    for (Mention& mention : mentions) {
      if (mention.slot) continue;
      if (const auto other = numbered.find(mention.address); other != numbered.end()) {
        problem(path, mention.line, strCat("\"", mention.word(), "\" has no number, but in line ", other->second, " it has; number all or none"));
        return false;
      }
      mention.slot = next[mention.address]++;
    }
    return true;
  }

  void byHost(const std::string& path, std::vector<Mention> mentions) {
    if (!number(path, mentions)) return;
    std::map<std::string, std::vector<std::size_t>, std::greater<>> order;  // addresses descending: MXNet-G's ranks
    for (const Mention& mention : mentions) {
      const std::vector<std::size_t> there = on(mention.address);
      if (there.empty()) problem(path, mention.line, strCat("\"", mention.word(), "\" is the host of no worker of the document, as others here are"));
      else if (*mention.slot >= there.size())
        problem(path, mention.line, strCat("\"", mention.word(), "\" is one too many: the document has ", there.size(), there.size() == 1 ? " worker" : " workers", " there"));
      else join(path, mention, there[*mention.slot]);
      order[mention.address] = there;
    }
    allJoined(path, mentions.back().line);
    if (!result_.problems.empty()) return;
    ranks_.clear();
    for (const auto& [address, there] : order)
      for (const std::size_t worker : there)
        if (std::find(ranks_.begin(), ranks_.end(), worker) == ranks_.end()) ranks_.push_back(worker);
    result_.notes.push_back(strCat(path, ": addresses are the hosts of the document's workers"));
  }

  void byRank(const std::string& path, std::vector<Mention> mentions) {
    if (!number(path, mentions)) return;
    if (mentions.size() != workers_.size())
      return problem(path, mentions.back().line, strCat("the groups have ", mentions.size(), " members, but the document has ", workers_.size(), " workers"));
    std::stable_sort(mentions.begin(), mentions.end(), [](const Mention& a, const Mention& b) { return a.address != b.address ? a.address > b.address : *a.slot < *b.slot; });
    for (std::size_t i = 1; i < mentions.size(); ++i)
      if (mentions[i].address == mentions[i - 1].address && mentions[i].slot == mentions[i - 1].slot)
        problem(path, std::max(mentions[i].line, mentions[i - 1].line), strCat("\"", mentions[i].word(), "\" is in a group already"));
    for (std::size_t i = 0; result_.problems.empty() && i < mentions.size(); ++i) join(path, mentions[i], i);
    result_.notes.push_back(strCat(path, ": addresses are MXNet-G's ranks, the highest is worker \"", workers_.front().id, "\""));
  }

  const std::vector<ClusterWorker>& workers_;
  std::vector<std::size_t> ranks_;  // the document's worker by MXNet-G's rank
  std::set<std::size_t> grouped_;
  MxnetCluster result_;
};

}  // namespace

MxnetCluster readMxnetFiles(const std::optional<NamedText>& groups, const std::optional<NamedText>& dataSharding,
                            const std::vector<ClusterWorker>& workers) {
  PACELINE_CHECK(!workers.empty(), "workers to put into groups");
  ConfReader reader(workers);
  if (groups) reader.groups(*groups);
  if (dataSharding) reader.dataSharding(*dataSharding);
  return reader.result();
}

}  // namespace paceline::interop
