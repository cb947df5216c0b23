// The deployments on this host: listed and removed. Content that several versions share counts once, and for the one whose removal frees it.
// Throws Error{kHost, kFile}.
#pragma once

#include <string>
#include <string_view>


namespace paceline::receive {

// Where deployed files lie on a host: below ${XDG_CACHE_HOME:-$HOME/.cache}/paceline.
//   agents/SHA256/paceline-agent   put there by a shell before anything else
//   objects/SHA256[.x]             every file's content once, read-only; .x: a program
//   partial/SHA256                 half-sent contents
//   versions/ID/                   one set of programs, hard links to objects; lib/ and data/NAME/ where the host lacked them
struct InstalledPaths {
  std::string folder, agents, objects, partial, versions;
  std::string version(const std::string& id) const { return versions + "/" + id; }
};

InstalledPaths installedPaths();  // throws Error{kHost}: no HOME; makes nothing

constexpr const char* kManifestName = ".manifest.json";  // in a version and in each of its parts, written when the part is whole
constexpr const char* kChoiceName = ".choice.json";      // in a version: which libraries its programs start with here

// {"folder", "versions": [{"id", "paceline", "created_utc", "bytes", "in_use", "parts": ["lib", "data/mnist"]}], "partial_bytes", "bytes"}
std::string installedJson(const InstalledPaths& paths);

// Removes half-sent files, agents and versions but `keep` ("-": none is kept) and what a process runs or has mapped. {"freed_bytes"}.
std::string uninstall(const InstalledPaths& paths, const std::string& keep);

}  // namespace paceline::receive
