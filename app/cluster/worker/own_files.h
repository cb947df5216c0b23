// Files that a document brings: data and code of the user's own. They are pinned by their content, so that a run can be told from one with another content,
// and code runs only after a person has confirmed that content once. Any thread.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>

#include "engine/core/json/json_text.h"
#include "engine/core/spec/catalog.h"

namespace paceline::worker {

// Pins the files that the document's entries name (ParamSpec::file) and that are on this computer; relative ones are looked for in `folder`, the document's
// own ("": none), then in the current one. Findings: one that is missing, has changed since it was
// pinned, or is code that nobody has confirmed.
void pinFiles(ParsedSpec& checked, const Catalog& catalog, const std::string& folder = {});

// Contents that this user has confirmed, in trusted.json below the folder of settings. A list that cannot be read trusts nothing.
// command: what starts the file, where something does (kCommandParam); each with each content is confirmed by itself.
bool isTrusted(const std::string& sha256, const std::string& command = {});
void trust(const std::string& sha256, const std::string& path, const std::string& command = {});  // path: for whoever reads the list. Throws Error{kFile, kNoSpace}
std::string contentOf(const std::string& path);                  // its SHA-256, kept while the file stays the same. Throws Error{kFile}

// What a file of code is made of and what a step of this document gives it, found by taking one in a process with limits. Throws Error.
inline constexpr double kTryingSeconds = 180;  // at most; a command may have a framework to load
struct TriedModel {
  std::int64_t parameters = 0, samples = 0;
  std::string input;  // of a sample: "1x28x28 float32"
};
TriedModel triedModel(const std::string& named, const RunSpec& spec, const std::stop_token& stop);
std::string dimsText(const Json& dims);  // "1x28x28"

}  // namespace paceline::worker
