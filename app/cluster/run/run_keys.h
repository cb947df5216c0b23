// The keys of one run: a Curve25519 pair per node, made here, handed to the nodes in their Prepare order and nowhere else. Any thread.
// Whoever holds them wipes them as soon as the nodes have them; the desktop needs none afterwards, not even to attach again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/record/control.h"

namespace paceline::run {

std::string protectionOf(const RunSpec& spec);  // "auto" decided: "plain" on one host, "curve" across hosts

// By node index; without keys when plain. Throws Error{kHost} when this computer has no randomness to give.
std::vector<DataKeys> makeKeys(const RunSpec& spec);

// ZeroMQ's text form of 4n bytes (RFC 32): 5n characters.
std::string z85(std::string_view bytes);

}  // namespace paceline::run
