// Ctrl-C and SIGTERM as a stop token: the first asks to stop in order, the second ends this program at once (the supervisor ends
// what it was asked to end). SIGPIPE is ignored meanwhile. One at a time, made by main's thread before it starts long work; the destructor gives the signals
// back.
#pragma once

#include <stop_token>
#include <thread>

namespace paceline::cli {

class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  std::stop_token token() const { return source_.get_token(); }
  bool asked() const { return source_.stop_requested(); }

 private:
  std::stop_source source_;
  std::thread thread_;  // reads the pipe that the signal handler writes to
};

}  // namespace paceline::cli
