#include "engine/comm/shm/mapping.h"

#include <sys/mman.h>
#include <sys/stat.h>

namespace paceline::shm {

std::optional<Mapping> Mapping::mapped(int descriptor, std::size_t bytes, bool writable) {
  void* const at = ::mmap(nullptr, bytes, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, descriptor, 0);
  if (at == MAP_FAILED) return std::nullopt;
  return Mapping({static_cast<std::byte*>(at), bytes});
}

std::optional<Mapping> Mapping::make(std::size_t bytes, Fd& descriptor) {
  descriptor = Fd(::memfd_create("paceline vectors", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!descriptor || ::ftruncate(descriptor.get(), static_cast<off_t>(bytes)) != 0 ||
      ::fcntl(descriptor.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    return std::nullopt;
  return mapped(descriptor.get(), bytes, true);
}

std::optional<Mapping> Mapping::of(const Fd& descriptor, bool writable) {
  const int seals = ::fcntl(descriptor.get(), F_GET_SEALS);
  struct stat status{};
  if (seals < 0 || (seals & F_SEAL_SHRINK) == 0 || ::fstat(descriptor.get(), &status) != 0 || status.st_size <= 0) return std::nullopt;
  return mapped(descriptor.get(), static_cast<std::size_t>(status.st_size), writable);
}

Mapping::~Mapping() {
  if (!bytes_.empty()) ::munmap(bytes_.data(), bytes_.size());
}

}  // namespace paceline::shm
