// Bare sockets between all ranks of an all-reduce, and what its bytes take over them: recursive halving, then doubling, as the butterfly's, with nothing added up
// and no message, queue or thread. No all-reduce over TCP by one thread a rank is much faster.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/comm/aggregators/message_board.h"
#include "engine/core/base/vec.h"
#include "tests/bench/bare_socket.h"

namespace paceline::bench {

class SocketMesh {
 public:
  // All ranks at once; `world` is a power of two. Ports are told on `board`.
  SocketMesh(Board& board, int rank, int world) : rank_(rank), world_(world) {
    const auto listening = Socket::listening(world);
    const std::string port = std::to_string(listening->port());
    board.tell(strCat("port ", rank), {port.begin(), port.end()});
    for (int other = 0; other < rank; ++other) {
      const std::vector<char> told = board.hear(strCat("port ", other));
      peers_[other] = Socket::connected(std::stoi(std::string(told.begin(), told.end())));
      const float self = static_cast<float>(rank);
      peers_[other]->send({&self, 1});
    }
    for (int more = rank + 1; more < world; ++more) {
      auto socket = listening->accept();
      float other = 0;
      socket->receive({&other, 1});
      peers_[static_cast<int>(other)] = std::move(socket);
    }
  }

  // Leaves `data` as it is where all ranks have the same.
  void exchange(std::span<float> data) {
    struct Half {
      int partner = 0;
      std::span<float> kept, given;
    };
    std::vector<Half> halves;
    received_.resize((data.size() + 1) / 2);
    for (int mask = 1; mask < world_; mask *= 2) {
      const std::span<float> low = data.first(data.size() / 2), high = data.subspan(data.size() / 2);
      const Half half = (rank_ & mask) != 0 ? Half{rank_ ^ mask, high, low} : Half{rank_ ^ mask, low, high};
      peers_.at(half.partner)->exchange(half.given, std::span(received_).first(half.kept.size()));
      data = half.kept;
      halves.push_back(half);
    }
    for (; !halves.empty(); halves.pop_back()) peers_.at(halves.back().partner)->exchange(halves.back().kept, halves.back().given);
  }

 private:
  int rank_, world_;
  std::map<int, std::unique_ptr<Socket>> peers_;  // by rank
  std::vector<float> received_;
};

}  // namespace paceline::bench
