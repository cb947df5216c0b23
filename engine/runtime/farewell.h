// A worker's last words to all that it meets. Used by its thread.
#pragma once

#include "engine/comm/transport/layers.h"
#include "engine/comm/transport/transport.h"
#include "engine/runtime/control.h"
#include "engine/runtime/setup.h"

namespace paceline {

void sayBye(const NodeRun& run, const RunParts& parts, Transport& transport, MeteredWire& meter, StopReason reason);

}  // namespace paceline
