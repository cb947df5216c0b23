// The deployments on this host: kept, listed and removed. Content that several versions share counts once, and for the one whose removal frees it.
// Throws Error{kHost, kFile}.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

#include "agent/supervisor/fd.h"
#include "engine/core/record/manifest.h"

namespace paceline::receive {

// Where deployed files lie on a host: below ${XDG_CACHE_HOME:-$HOME/.cache}/paceline.
//   agents/SHA256/paceline-agent   put there by a shell before anything else
//   objects/SHA256[.x]             every file's content once, read-only; .x: a program
//   partial/SHA256                 half-sent contents, whether they become programs or not
//   versions/ID/                   one set of programs, hard links to objects; lib/ and data/NAME/ where the host lacked them
struct InstalledPaths {
  std::string folder, agents, objects, partial, versions;
  std::string version(const std::string& id) const { return versions + "/" + id; }
};

InstalledPaths installedPaths();  // throws Error{kHost}: no HOME; makes nothing

constexpr const char* kManifestName = ".manifest.json";  // in a version and in each of its parts, written when the part is whole
constexpr const char* kChoiceName = ".choice.json";      // in a version: which libraries its programs start with here

bool isWhole(const std::string& folder);  // of a version or a part: it has its manifest, and every file of that with its size

// The agent that a shell has received as `part` becomes `paceline-agent` beside it, on the disk before it has that name: a power cut leaves none or
// a whole one. false: its SHA-256 is another one, and nothing was done.
bool keepAgent(const std::string& part, const std::string& sha256);

std::string traceOf(const InstalledPaths& paths);  // changes as long as a deployment gets on

// {"folder", "versions": [{"id", "paceline", "created_utc", "bytes", "in_use", "parts": ["lib", "data/mnist"]}], "partial_bytes", "bytes"}
std::string installedJson(const InstalledPaths& paths);

// Removes half-sent files, agents and versions but `keep` ("-": none is kept) and what a process runs or has mapped. {"freed_bytes"}.
std::string uninstall(const InstalledPaths& paths, const std::string& keep);

// `paceline-agent receive`: puts what the desktop sends in its place. Requests and answers are lines of JSON on stdin and stdout (agent/README.md),
// to the end of the input. An error is told to the desktop as a line and ends it with exit code 1. Never throws for bad input. Another deployment
// is waited for as long as something comes of it within every `patienceSeconds`.
constexpr double kPatienceSeconds = 120;  // one that lives gives up after 60 s without a frame, and then may have much to hash
int receive(int input, std::ostream& answers, double patienceSeconds = kPatienceSeconds);

// The contents that were sent to this host, each once under its SHA-256, and what has half arrived. Holds the lock of all that is written while
// it lives: two desktops send one after the other. One thread. Throws Error{kNoSpace, kFile, kFormat}; what has arrived stays for the next time.
class ObjectStore {
 public:
  // onWait: somebody else has the lock ("another deployment to this host (process 12)"). It waits a moment, or throws to give up, again and again.
  ObjectStore(InstalledPaths paths, const std::function<void(const std::string& holder)>& onWait);

  bool has(const ManifestFile& file) const;  // or has now, because its content is here with the other mode: each is sent once
  std::int64_t arrived(const ManifestFile& file) const;  // bytes of a half-sent content
  std::int64_t bytesFree() const;

  // Appends what `next` gives (at most the bytes it is asked for) until the file is whole, then verifies and keeps it.
  void receive(const ManifestFile& file, const std::function<std::string(std::int64_t left)>& next);
  // Makes `folder` with these files (all are there) in one step. One that has them is left alone, with all that lies in it: nodes run from there.
  // Any other of that name goes: until then it is there, and both change names at once where the file system can.
  void place(const Manifest& manifest, const std::string& folder);

 private:
  std::string object(const std::string& sha256, bool program) const { return paths_.objects + "/" + sha256 + (program ? ".x" : ""); }
  std::string object(const ManifestFile& file) const { return object(file.sha256, file.program); }
  std::string partial(const ManifestFile& file) const { return paths_.partial + "/" + file.sha256; }
  void fill(const std::string& folder, const Manifest& manifest) const;
  void takeOver(const ManifestFile& file) const;  // from agents/, or from an object that has the other mode
  void keep(const ManifestFile& file) const;
  void putInPlace(const std::string& fresh, const std::string& folder) const;

  InstalledPaths paths_;
  Fd lock_;
};

}  // namespace paceline::receive
