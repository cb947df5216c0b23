// The ceiling for everything that moves over ZeroMQ on this computer, measured: for the bench program.
#pragma once

#include <cstddef>

namespace paceline::tests {

// Bytes a second through one PUSH to PULL stream over TCP on the loopback interface between two threads with a context (so an I/O
// thread) each: frames of `frameBytes` sent without copying, received and dropped. Runs about `seconds`; counted from the first frame
// received. Call keepFreedMemory() before, as the programs do. Throws Error{kHost}.
double rawStreamBytesPerSecond(double seconds, std::size_t frameBytes);

}  // namespace paceline::tests
