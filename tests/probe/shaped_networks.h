// Two network namespaces joined by a pair of interfaces whose rate is limited, and a "host" in each.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/cluster/check/judge.h"
#include "engine/core/base/error.h"

namespace paceline::tests {

inline constexpr double kPayload = 1448.0 / 1514.0;  // of an Ethernet frame

// This computer, with every command behind some words of its own.
class PrefixedHost final : public hosts::Host {
 public:
  PrefixedHost(std::string name, std::vector<std::string> before) : name_(std::move(name)), before_(std::move(before)), host_(hosts::localHost(name_)) {}
  std::string name() const override { return name_; }
  std::unique_ptr<hosts::Process> start(const std::vector<std::string>& command) override {
    std::vector<std::string> words = before_;
    words.insert(words.end(), command.begin(), command.end());
    return host_->start(words);
  }

 private:
  std::string name_;
  std::vector<std::string> before_;
  std::unique_ptr<hosts::Host> host_;
};

class ShapedNetworks {
 public:
  explicit ShapedNetworks(std::string agent) : agent_(std::move(agent)) {}  // the program that measures
  ~ShapedNetworks() {
    for (const std::string& space : {a_, b_}) run("ip netns delete " + space + " 2>/dev/null");
  }
  ShapedNetworks(const ShapedNetworks&) = delete;
  ShapedNetworks& operator=(const ShapedNetworks&) = delete;

  // "", or why there are none here.
  std::string make() {
    if (::geteuid() != 0) return "network namespaces need root";
    if (!run("ip netns add " + a_) || !run("ip netns add " + b_)) return "this system makes no network namespaces";
    if (!run(strCat("ip -n ", a_, " link add data type veth peer name data netns ", b_))) return "this system joins no network namespaces";
    for (const auto& [space, address] : {std::pair(a_, "10.78.0.1/24"), std::pair(b_, "10.78.0.2/24")})
      if (!run(strCat("ip -n ", space, " addr add ", address, " dev data")) || !run(strCat("ip -n ", space, " link set data up"))) return "this system's network namespaces take no addresses";
    return "";
  }
  bool shape(const std::string& rate) const {
    return run(strCat("tc -n ", a_, " qdisc replace dev data root tbf rate ", rate, " burst 64kb latency 50ms")) &&
           run(strCat("tc -n ", b_, " qdisc replace dev data root tbf rate ", rate, " burst 64kb latency 50ms"));
  }
  std::vector<check::LinkMeasure> measure(const std::string& addressOfB = "10.78.0.2") const {
    const auto open = [&](const std::string& name) {
      const std::string& space = name == "a" ? a_ : b_;
      return check::MeasuredHost{.host = std::make_unique<PrefixedHost>(name, std::vector<std::string>{"ip", "netns", "exec", space}),
                          .agent = agent_,
                          .address = name == "a" ? "10.78.0.1" : addressOfB};
    };
    return check::measureLinksWith(open, {"a", "b"}, {}, {});
  }
  const std::string& a() const { return a_; }
  const std::string& b() const { return b_; }

 private:
  const std::string agent_;
  static bool run(const std::string& command) { return std::system(command.c_str()) == 0; }
  const std::string a_ = strCat("plp", ::getpid(), "a"), b_ = strCat("plp", ::getpid(), "b");
};

}  // namespace paceline::tests
