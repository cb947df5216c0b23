// The one error idiom. Broken (peer lost, disk full, bad file): throw Error, whose message names the object and the value.
// Impossible (our bug): PACELINE_CHECK throws InvariantError. Expected: a return value, never an exception.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace paceline {

enum class Errc {
  kUsage,        // command line is off: exit 2
  kSpec,         // the experiment document is off
  kFile,         // a file cannot be read or written
  kFormat,       // bytes do not have the promised form
  kData,         // a data set is missing or does not fit
  kPeerLost,     // a node of this run went away
  kStopped,      // the run was asked to stop while this node was waiting
  kStore,        // the database refused
  kLocked,       // the store belongs to another process
  kNoSpace,      // disk full
  kHost,         // a host or its agent cannot be reached or refused
  kUnsupported,  // asks for something this build cannot do
};

class Error : public std::runtime_error {
 public:
  Error(Errc code, const std::string& message) : std::runtime_error(message), code_(code) {}
  Errc code() const { return code_; }

 private:
  Errc code_;
};

// A bug of ours, never the user's fault.
class InvariantError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

template <class... Parts>
std::string strCat(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

#define PACELINE_CHECK(condition, what)                                                                             \
  do {                                                                                                              \
    if (!(condition)) throw ::paceline::InvariantError(::paceline::strCat(__FILE__, ":", __LINE__, ": ", (what)));  \
  } while (false)

}  // namespace paceline
