// LibTorch's process groups (c10d) for the exchange: NCCL where all workers compute on CUDA devices and this build has it, else Gloo, where it has that. c10d's MPI is
// not among them: it takes ranks from mpirun, and a run's nodes are started by its agents. No torch here.
#pragma once

#include "engine/core/collective.h"

namespace paceline {

// Their vectors are floats in host memory. They listen on the loopback interface and neither encrypt nor ask who connects. One thread; Gloo has two more, NCCL its
// own. Empty: this LibTorch has none.
CollectiveFactory c10dCollective();

}  // namespace paceline
