#include "app/cluster/worker/spec_check.h"

#include "app/cluster/hosts/host_registry.h"
#include "engine/core/base/error.h"

namespace paceline::worker {

ParsedSpec checkedSpec(const RunSpec& spec, const Catalog& catalog) {
  try {
    return validate(spec, catalog, hosts::HostRegistry::load(hosts::HostRegistry::defaultPath()).names());
  } catch (const Error& unreadable) {
    ParsedSpec checked = validate(spec, catalog, spec.hosts());
    for (std::size_t i = 0; i < spec.nodes.size(); ++i)
      if (spec.nodes[i].host != "local") checked.findings.push_back({strCat("/nodes/", i, "/host"), unreadable.what()});
    return checked;
  }
}

}  // namespace paceline::worker
