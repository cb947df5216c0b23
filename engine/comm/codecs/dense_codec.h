// Dense vectors in fewer bits than the wire's fp32, with error feedback (compressor.h) in the same pass over memory. Pure functions, any thread.
//
//   kHalf  2 bytes per element: IEEE fp16, to nearest even. NaN and infinities travel as such. A finite element beyond +-65504 is sent as
//          +-65504 and the rest waits; without feedback it becomes an infinity, as the conversion says.
//   kInt8  1 byte per element and an fp32 scale per 1024 (the scales first): s = max |y| / 127 over the block's finite elements, element
//          = code * s with codes -127..127; code -128 is a NaN, which NaN and infinities arrive as. Blocks below 2^-100 are sent as 0.
// What is not finite leaves nothing waiting: a diverged run shows at the receiver in the same round.
#pragma once

#include <span>
#include <string_view>

#include "engine/comm/transport/message.h"
#include "engine/core/base/cpu_path.h"

namespace paceline::codecs {

std::size_t packedDenseBytes(Packing packing, std::size_t count);

// packing: kHalf or kInt8. residual: r on entry, y - Q(y) on return, as long as `values`; empty: no feedback.
Packed packDense(Packing packing, std::span<const Real> values, std::span<Real> residual, CpuPath path = CpuPath::kBest);

// Throws Error{kFormat} that names the peer when the bytes are not what packDense makes.
Dense unpackDense(const Packed& packed, std::string_view peer);

}  // namespace paceline::codecs
