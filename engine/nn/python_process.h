// A command of the user's that answers requests, as a child of the process that trains: it has the limits of its parent, and a group of its own that ends
// with its parent, however that ends. Used by one thread. Throws Error{kSpec} with one sentence that names the command.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <span>
#include <string>

#include "engine/core/base/fd.h"
#include "engine/core/json/json_text.h"
#include "engine/core/spec/pinned_file.h"

namespace paceline {

class PythonProcess {
 public:
  struct Options {
    std::string command;  // words by spaces; the file's path follows them
    PinnedFile file;      // a copy of exactly this content is what runs
    double answerSeconds = 600;
    int threads = 1;
  };
  explicit PythonProcess(Options options);
  ~PythonProcess();
  PythonProcess(const PythonProcess&) = delete;
  PythonProcess& operator=(const PythonProcess&) = delete;

  Json ask(const Json& request);               // its answer, an object. What it prints meanwhile goes to stderr
  std::span<std::byte> share(std::size_t bytes);  // memory that both see, zeros; once
  [[noreturn]] void refuse(const std::string& why);  // throws, and ends it

 private:
  void start();
  bool endsSoon();
  [[noreturn]] void refuseEnded();
  bool takeWords();  // of what it prints; false: it has closed them
  void end();

  Options options_;
  std::string name_, folder_, file_, package_;
  Fd channel_, memory_, words_, life_;
  pid_t child_ = -1, guard_ = -1;
  std::string received_, lastWords_, line_;
  void* shared_ = nullptr;
  std::size_t sharedBytes_ = 0;
};

}  // namespace paceline
