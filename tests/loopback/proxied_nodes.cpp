#include "tests/loopback/proxied_nodes.h"

#include "engine/core/json/json_text.h"

namespace paceline::tests {
namespace {

class ReadProcess final : public hosts::Process {
 public:
  ReadProcess(std::unique_ptr<hosts::Process> inner, ProxiedNodes& nodes) : inner_(std::move(inner)), nodes_(nodes) {}

  std::optional<std::string> readLine(double timeoutSeconds) override {
    std::optional<std::string> line = inner_->readLine(timeoutSeconds);
    return line ? nodes_.redirected(*line) : line;
  }
  bool ended() const override { return inner_->ended(); }
  void write(std::string_view bytes) override { inner_->write(bytes); }
  void closeInput() override { inner_->closeInput(); }
  hosts::ProcessEnd wait() override { return inner_->wait(); }

 private:
  std::unique_ptr<hosts::Process> inner_;
  ProxiedNodes& nodes_;
};

class ReadHost final : public hosts::Host {
 public:
  ReadHost(std::unique_ptr<hosts::Host> inner, ProxiedNodes& nodes) : inner_(std::move(inner)), nodes_(nodes) {}
  std::string name() const override { return inner_->name(); }
  std::unique_ptr<hosts::Process> start(const std::vector<std::string>& command) override {
    return std::make_unique<ReadProcess>(inner_->start(command), nodes_);
  }

 private:
  std::unique_ptr<hosts::Host> inner_;
  ProxiedNodes& nodes_;
};

}  // namespace

hosts::HostOpener ProxiedNodes::opener() {
  return [this, local = hosts::localOpener()](const std::string& name, const hosts::HostNeeds& needs) {
    hosts::ReadyHost ready = local(name, needs);
    ready.host = std::make_unique<ReadHost>(std::move(ready.host), *this);
    return ready;
  };
}

FaultProxy& ProxiedNodes::before(const std::string& node) const {
  const std::lock_guard lock(mutex_);
  return *proxies_.at(node);
}

int ProxiedNodes::faults() const {
  const std::lock_guard lock(mutex_);
  int faults = 0;
  for (const auto& [node, proxy] : proxies_) faults += proxy->faults();
  return faults;
}

std::string ProxiedNodes::redirected(const std::string& line) {
  if (line.find("\"listening\"") == std::string::npos) return line;
  Json message = jsonFrom(line, "the supervisor");
  if (!message.contains("event") || message["event"].value("kind", "") != "listening") return line;
  const auto plan = plans_.find(message.at("node").get<std::string>());
  if (plan == plans_.end()) return line;
  const std::lock_guard lock(mutex_);
  std::unique_ptr<FaultProxy>& proxy = proxies_[plan->first];
  if (!proxy) proxy = std::make_unique<FaultProxy>(message["event"]["text"].get<std::string>(), plan->second);
  message["event"]["text"] = proxy->endpoint();
  return message.dump();
}

}  // namespace paceline::tests
