// What `paceline-worker model ...` answers about a model file: JSON on stdout. It runs what is in the file, within limits. Used by main().
#pragma once

#include <string>
#include <vector>

namespace paceline {

// check FILE [SPEC.json|-]: what it is made of; with a document one step on its data, too.
// Throws Error{kUsage} for other words, Error{kSpec, kFile, kData} with one sentence.
void answerAboutModels(const std::vector<std::string>& words);

struct RunSpec;
// Of a process that will load the model file of this document, where it names one. A node keeps what it needs to train: it is bounded by the machine's memory.
void limitForCode(const RunSpec& spec);
void limitNode(const RunSpec& spec);

}  // namespace paceline
