// A web server on loopback for tests, as good or as bad as they want it. Its thread ends with it.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace paceline::tests {

struct HttpBehaviour {
  bool ranges = true;       // false: answers with all of the file whatever part is asked for
  int status = 0;           // not 0: this, and a page that says so
  std::size_t breakAfter = 0;  // not 0: closes the connection after so many bytes of content
  int breaks = 1;           // in so many answers, then never again
};

class HttpServer {
 public:
  explicit HttpServer(std::map<std::string, std::string> files, HttpBehaviour behaviour = {});  // by name, "a.gz"
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::string url() const;  // "http://127.0.0.1:41234"
  std::vector<std::string> asked() const;  // "a.gz" or "a.gz from 100", in order
  std::vector<std::string> told() const;   // what requests brought (POST), in order

 private:
  void serve();
  void answer(int connection);

  const std::map<std::string, std::string> files_;
  const HttpBehaviour behaviour_;
  int socket_ = -1, port_ = 0, broken_ = 0;
  std::atomic<bool> ending_ = false;
  mutable std::mutex mutex_;  // guards asked_ and told_
  std::vector<std::string> asked_, told_;
  std::thread thread_;
};

}  // namespace paceline::tests
