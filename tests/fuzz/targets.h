// What is fed with bytes from elsewhere: one entry a reader. A target returns, or throws paceline::Error with its sentence; everything else (another
// exception, a crash, a sanitizer's finding, hours or gigabytes) is a defect. Targets keep no state between calls.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace paceline::fuzz {

using Input = std::span<const std::uint8_t>;

struct Target {
  std::string_view name;  // and the folder of its corpus
  void (*run)(Input);
};

std::span<const Target> coreTargets();     // documents, records, orders
std::span<const Target> commTargets();     // what nodes send each other
std::span<const Target> dataTargets();     // files of data sets
std::span<const Target> desktopTargets();  // what hosts, other people and other tools hand to the desktop
std::span<const Target> agentTargets();    // what a host's agent is sent, and what it finds on disk

std::vector<Target> targets();

// The target's run, its Error taken for an answer.
void feed(const Target& target, Input input);

inline std::string_view textOf(Input input) { return {reinterpret_cast<const char*>(input.data()), input.size()}; }

// A folder that lives as long as the object, with all that is put into it.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// The input as a file of the process, for readers that take paths; there as long as the object.
class InputFile {
 public:
  explicit InputFile(Input input);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  int fd_;
  std::string path_;
};

}  // namespace paceline::fuzz
