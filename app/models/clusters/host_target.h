// What a person types for a host: "gpu1", "alice@10.0.0.5:2222", "[fd00::2]:22", "ssh://alice@gpu1". Pure.
#pragma once

#include <QString>
#include <map>
#include <string>

#include "app/cluster/hosts/host_registry.h"

namespace paceline::clusters {

// Into name (free in the book), user, address and port. "" or the problem; then `entry` is unchanged.
QString readTarget(const QString& typed, const hosts::HostRegistry& book, hosts::HostEntry& entry);

// NAME=VALUE lines. "" or the problem and its line.
QString readEnvironment(const QString& typed, std::map<std::string, std::string>& env);

QString environmentText(const hosts::HostEntry& entry);  // the same lines

}  // namespace paceline::clusters
