// A collective's board over the run's own messages: each rank has what all have told, so there is no server, port or file beside the run's.
// One thread. Waits end with the errors of Transport; Error{kFormat} names a worker that is elsewhere.
#pragma once

#include <map>

#include "engine/comm/aggregators/aggregator.h"
#include "engine/core/collective.h"

namespace paceline::aggregators {

class MessageBoard final : public Board {
 public:
  MessageBoard(Transport& transport, const NodeList& workers, int rank);

  void tell(const std::string& key, const std::vector<char>& value) override;
  std::vector<char> hear(const std::string& key) override;
  void close();  // by all, when they have told everything: returns when nothing that was told is under way to this rank

 private:
  void takeOne();  // the next message of a rank that has not closed its board

  Transport& transport_;
  NodeList workers_;
  std::size_t rank_;
  std::vector<bool> open_;  // by rank
  std::map<std::string, std::vector<char>> told_;
};

}  // namespace paceline::aggregators
