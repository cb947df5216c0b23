// How this process keeps memory that LibTorch frees. No torch.
#pragma once

namespace paceline {

// Once per process, any thread: freed memory stays with the process. By default glibc gives every freed activation back to the
// kernel and takes a page fault for each 4 KiB of the next step's.
void keepFreedMemory();

}  // namespace paceline
