// One conversation with `paceline-agent receive` on a host (agent/README.md). Used by the thread that uses the host, which must outlive it.
// Throws Error{kHost, kNoSpace, kStopped} naming the host; what a host answers is checked, never believed.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/cluster/deploy/deployment.h"
#include "app/cluster/deploy/files.h"
#include "app/cluster/hosts/host.h"

namespace paceline::deploy {

// What the agent says of a version.
struct ReadyAnswer {
  bool there = false;
  std::string folder, libraries;      // libraries "": its programs do not start
  std::vector<std::string> problems;  // why not
  std::map<std::string, std::string> env, datasets;
};

class DeploySession {
 public:
  DeploySession(hosts::Host& host, const DeployOptions& options);

  // nullopt: our agent is not on this host.
  std::optional<ReadyAnswer> ready(const std::string& version);
  // Sends what is missing of the files and has them placed as `part` of the version: "" the programs, "lib", "data/NAME".
  void place(const std::string& version, const std::string& part, const FileSet& files);

 private:
  struct Missing {
    std::size_t index = 0;  // in the file set
    std::int64_t have = 0;
  };
  std::optional<nlohmann::json> answerTo(const nlohmann::json& request);
  std::optional<nlohmann::json> hear(double seconds);  // the next line of JSON; nullopt: none, or the agent has ended
  nlohmann::json expect();                            // an answer or the reason why there is none
  std::vector<Missing> missingOf(const nlohmann::json& answer, const FileSet& files) const;
  void send(const ManifestFile& file, const FileSource& source, std::int64_t from);
  void tell(const std::string& file, std::int64_t raw, std::int64_t packed);
  [[noreturn]] void lost();
  [[noreturn]] void refuse(const std::string& why) const;

  hosts::Host& host_;
  const DeployOptions& options_;
  std::unique_ptr<hosts::Process> agent_;
  DeployProgress progress_;
  std::chrono::steady_clock::time_point began_;
};

// The agent on a host: its place there, and its upload with nothing but a shell. See deployment.h for threads and failures.
std::string agentId();  // SHA-256 of our paceline-agent

// A command for Host::start: our agent, at its place below the host's cache folder, with these arguments. Exit code 127: it is not there.
std::vector<std::string> agentCommand(const std::vector<std::string>& arguments);

// "" or the sentence for a full disk or a used-up quota that `errors` (of a tool in the C locale) tells of.
std::string noSpaceSentence(const std::string& errors, const std::string& folder, std::int64_t bytes);

}  // namespace paceline::deploy
