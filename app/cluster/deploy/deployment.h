// Puts our programs, and where needed LibTorch and data sets, on a host: content-addressed below its cache folder, only what is missing,
// compressed, resumed where it broke off, every file's SHA-256 verified there.
#pragma once

#include <cstdint>
#include <functional>

#include "app/cluster/hosts/host.h"
#include "app/cluster/hosts/host_registry.h"
#include "engine/core/spec/pinned_file.h"

namespace paceline::deploy {

struct DeployProgress {
  std::string waitsFor{};                        // "": nothing; else "another deployment to this host (process 12) is under way"
  std::string file;                              // in transfer
  std::int64_t bytesDone = 0, bytesTotal = 0;    // raw bytes of all that is missing
  std::int64_t bytesSent = 0;                    // compressed, over the wire
  double rateBytesPerSecond = 0, etaSeconds = 0;  // of raw bytes
};

struct DeployOptions {
  std::vector<std::string> datasets;  // ids whose files shall be there
  std::vector<PinnedFile> files{};    // of a document, from this computer
  std::string libraries;              // HostEntry::libraries
  std::function<void(const DeployProgress&)> onProgress;
  std::stop_token stop;
};

// The agent alone: small and static, starts on any Linux of our architecture. One that is there is believed when it says its own SHA-256, else sent.
// Returns its path there.
std::string deployAgent(hosts::Host& host);

std::string agentId();  // SHA-256 of our paceline-agent

// A command for Host::start: our agent, at its place below the host's cache folder, with these arguments. Exit code 127: it is not there.
// Others from kCannotStart on: it is damaged (126 and signals).
constexpr int kCannotStart = 126;
std::vector<std::string> agentCommand(const std::vector<std::string>& arguments);

// Everything. Fast when all is there: one command on the host. Throws Error{kHost, kNoSpace} with one sentence.
hosts::Installation deploy(hosts::Host& host, const DeployOptions& options = {});

struct InstalledVersion {
  std::string id, paceline, createdUtc;  // id: hash of its manifest
  std::int64_t bytes = 0;                // that removing it would free
  bool current = false, inUse = false;   // what we would deploy now; a process runs from it
  std::vector<std::string> parts{};      // sent besides the programs: "lib" (libraries), "data/mnist"
};
struct HostDisk {
  std::vector<InstalledVersion> versions;
  std::int64_t partialBytes = 0, spoolBytes = 0;
  int spools = 0, activeRuns = 0;
};
HostDisk diskOf(hosts::Host& host);
// Removes versions that are neither current nor in use, half-sent files, and spools of ended runs (`spools`: those too). Returns bytes freed.
std::int64_t cleanHost(hosts::Host& host, bool spools, bool currentToo = false);

}  // namespace paceline::deploy
