#include "app/predict/local.h"

#include <filesystem>

#include "app/cluster/hosts/facts.h"
#include "app/cluster/hosts/host_registry.h"
#include "engine/core/json/json_text.h"

namespace paceline::predict {

std::vector<HostSpeed> measuredHosts() {
  std::vector<HostSpeed> speeds;
  const hosts::HostRegistry book = hosts::HostRegistry::load(hosts::HostRegistry::defaultPath());
  for (const hosts::HostEntry& entry : book.entries()) {
    const std::optional<hosts::HostFacts> facts = hosts::loadFacts(entry.name);
    if (!facts) continue;
    HostSpeed& speed = speeds.emplace_back(HostSpeed{.name = entry.name, .speed = facts->speed});
    const Json probe = jsonOrNull(facts->probe);
    for (const char* key : {"cpus", "cpus_usable"})  // the second counts where it is there
      if (const auto cpus = probe.find(key); cpus != probe.end() && cpus->is_number_integer()) speed.cpus = cpus->get<int>();
  }
  return speeds;
}

LocalPredictions::LocalPredictions(std::string storePath) : storePath_(std::move(storePath)) {}

Prediction LocalPredictions::of(const RunSpec& spec, const std::vector<HostSpeed>& hosts, const std::stop_token& stop) {
  const why::Simulator simulate = simulators_.with(stop);
  Known known{.hosts = hosts, .links = hosts::loadLinks()};
  if (!store_ && std::filesystem::exists(storePath_)) store_ = std::make_unique<store::StoreReader>(storePath_);
  if (store_) known = knownOf(*store_, spec, std::move(known.hosts), std::move(known.links), simulate, likes_);
  return predicted(spec, known, simulators_.catalogueOf(spec, stop), simulate);
}

}  // namespace paceline::predict
