// Lines over a connected stream socket, without ever blocking. Used by one thread. Lines are at most 64 MiB.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace paceline::recorder {

class Fd {
 public:
  explicit Fd(int fd = -1) : fd_(fd) {}
  ~Fd() { close(); }
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    if (this != &other) close(), fd_ = std::exchange(other.fd_, -1);
    return *this;
  }
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  int release() { return std::exchange(fd_, -1); }
  void close();

 private:
  int fd_;
};

class Channel {
 public:
  explicit Channel(Fd socket);

  int fd() const { return socket_.get(); }
  bool open() const { return static_cast<bool>(socket_); }  // false: closed by either side; lines that came before can still be read
  void send(const std::string& line);  // takes it in any case; what the socket does not take waits here
  void flush();
  bool waiting() const { return sent_ < out_.size(); }      // something is still to be written
  std::size_t waitingBytes() const { return out_.size() - sent_; }
  bool flushWithin(double seconds);                         // blocks; false: the other side does not read
  void receive();                                           // what is there
  std::optional<std::string> line();                        // the next whole one
  void close() { socket_.close(); }

 private:
  Fd socket_;
  std::string in_, out_;
  std::size_t read_ = 0, scanned_ = 0, sent_ = 0;
};

}  // namespace paceline::recorder
