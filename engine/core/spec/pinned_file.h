// A file that a document names by place and content: "net.pt#sha256=HEX" in a text parameter. The content alone configures a run: the place is
// in no hash, and on another host the file lies elsewhere. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/spec/run_spec.h"

namespace paceline {

struct PinnedFile {
  std::string path;
  std::string sha256 = {};  // lower-case hex; "": not pinned
  bool operator==(const PinnedFile&) const = default;
};

PinnedFile pinnedFile(std::string_view text);
std::string textOf(const PinnedFile& file);
std::string fileName(const PinnedFile& file);  // the last part of its path

std::vector<PinnedFile> pinnedFiles(const RunSpec& spec);  // those with a hash, each content once, in the order of the document's parts
void forgetPlaces(RunSpec& spec);                          // pinned files by their content alone

// Where a host has files that came with a run, each in a folder of the name of its SHA-256: in the folder that this environment variable of its nodes names.
inline constexpr const char* kFilesVariable = "PACELINE_FILES";

std::string pathHere(const PinnedFile& file);  // where it lies on this host: as it came with the run, else at its path

// The parameter beside a file of code that says what starts it; a person confirms both together.
inline constexpr const char* kCommandParam = "command";
inline constexpr const char* kUsualCommand = "python3";
std::string commandOf(const std::vector<ParamSpec>& specs, const Params& params);  // its value or default; "": there is none, the code is loaded

// Throws Error{kFile} where it cannot be read, Error{kData} where its content is another one than was pinned.
void requireContent(const PinnedFile& file, const std::string& path);

// The file's bytes on this host: those that came with the run, else those at its path. Throws Error{kFile} where it is neither here nor there, Error{kData}
// where its content is another one than was pinned.
std::string bytesOf(const PinnedFile& file);

}  // namespace paceline
