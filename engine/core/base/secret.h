// Keys and passwords in memory. Pure; any thread.
#pragma once

#include <string>

#include <string.h>

namespace paceline {

inline void wipe(std::string& secret) {  // overwrites all it has allocated (the compiler may not leave it out), then empties
  secret.resize(secret.capacity());
  ::explicit_bzero(secret.data(), secret.size());
  secret.clear();
}

}  // namespace paceline
