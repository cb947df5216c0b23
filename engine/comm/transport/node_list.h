// A list of nodes that many hold: copies share it. A thousand nodes each know the thousand workers of their run. Immutable; a value.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <vector>

namespace paceline {

class NodeList {
 public:
  NodeList() = default;
  NodeList(std::vector<int> nodes) : shared_(std::make_shared<const Shared>(std::move(nodes))) {}  // node indices
  NodeList(std::initializer_list<int> nodes) : NodeList(std::vector<int>(nodes)) {}

  const int* begin() const { return data(); }
  const int* end() const { return data() + size(); }
  const int* data() const { return shared_ ? shared_->nodes.data() : nullptr; }
  std::size_t size() const { return shared_ ? shared_->nodes.size() : 0; }
  bool empty() const { return size() == 0; }
  const std::vector<int>& nodes() const {
    static const std::vector<int> kNone;
    return shared_ ? shared_->nodes : kNone;
  }
  int operator[](std::size_t place) const { return shared_->nodes[place]; }
  int front() const { return shared_->nodes.front(); }
  int back() const { return shared_->nodes.back(); }

  // Where in the list a node is: of the workers its rank.
  std::optional<std::size_t> placeOf(int node) const {
    if (!shared_ || node < 0 || static_cast<std::size_t>(node) >= shared_->places.size()) return std::nullopt;
    const int place = shared_->places[static_cast<std::size_t>(node)];
    return place < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(place));
  }
  bool contains(int node) const { return placeOf(node).has_value(); }

 private:
  struct Shared {
    explicit Shared(std::vector<int> given) : nodes(std::move(given)) {
      for (std::size_t place = 0; place < nodes.size(); ++place) {
        const auto node = static_cast<std::size_t>(nodes[place]);
        if (node >= places.size()) places.resize(node + 1, -1);
        places[node] = static_cast<int>(place);
      }
    }
    std::vector<int> nodes, places;  // places: by node; -1: it is not in the list
  };
  std::shared_ptr<const Shared> shared_;  // null: of no nodes
};

}  // namespace paceline
