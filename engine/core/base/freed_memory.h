// How this process keeps the memory that it frees.
#pragma once

namespace paceline {

// Once at a program's start: freed memory stays with the process. By default glibc gives every freed message of 1 MB and every freed
// activation back to the kernel and takes a page fault for each 4 KiB of the next.
void keepFreedMemory();

}  // namespace paceline
