// Why a host behind SSH could not be connected to, and how far it got: the host checks put the sentence on the line it belongs to.
#pragma once

#include <string>

#include "engine/core/base/error.h"

namespace paceline::ssh {

enum class SshStage {
  kReach,         // name, route, port, no SSH there, handshake; also a jump host on the way
  kKey,           // host key changed, of another type, revoked, unknown and not accepted
  kAuthenticate,  // every way to log in was refused
};

class SshError : public Error {
 public:
  SshError(SshStage stage, const std::string& message) : Error(Errc::kHost, message), stage_(stage) {}
  SshStage stage() const { return stage_; }

 private:
  SshStage stage_;
};

}  // namespace paceline::ssh
