#include "tests/cluster/http_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace paceline::tests {
namespace {

void sendAll(int connection, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto sent = ::send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

std::string header(const std::string& request, const std::string& name) {  // its value; "": none
  const std::size_t at = request.find("\r\n" + name + ": ");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + name.size() + 4;
  return request.substr(begin, request.find("\r\n", begin) - begin);
}

}  // namespace

HttpServer::HttpServer(std::map<std::string, std::string> files, HttpBehaviour behaviour) : files_(std::move(files)), behaviour_(behaviour) {
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (socket_ < 0 || ::bind(socket_, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(socket_, 8) != 0 ||
      ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw std::runtime_error("cannot listen on loopback");
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { serve(); });
}

HttpServer::~HttpServer() {
  ending_ = true;
  ::shutdown(socket_, SHUT_RDWR);  // ends accept()
  thread_.join();
  ::close(socket_);
}

std::string HttpServer::url() const { return "http://127.0.0.1:" + std::to_string(port_); }

std::vector<std::string> HttpServer::asked() const {
  const std::lock_guard lock(mutex_);
  return asked_;
}

std::vector<std::string> HttpServer::told() const {
  const std::lock_guard lock(mutex_);
  return told_;
}

void HttpServer::serve() {
  while (!ending_) {
    const int connection = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) continue;
    answer(connection);
    ::close(connection);
  }
}

void HttpServer::answer(int connection) {
  std::string request;
  std::array<char, 4096> block{};
  const auto isWhole = [&request] {
    const std::size_t end = request.find("\r\n\r\n");
    const std::string length = header(request, "Content-Length");
    return end != std::string::npos && request.size() >= end + 4 + (length.empty() ? 0 : std::stoul(length));
  };
  while (!isWhole()) {
    const auto got = ::recv(connection, block.data(), block.size(), 0);
    if (got <= 0) return;
    request.append(block.data(), static_cast<std::size_t>(got));
  }
  const std::size_t slash = request.rfind('/', request.find(" HTTP/"));
  const std::string name = request.substr(slash + 1, request.find(' ', slash) - slash - 1), range = header(request, "Range");
  const std::size_t from = range.starts_with("bytes=") ? std::stoul(range.substr(6)) : 0;
  {
    const std::lock_guard lock(mutex_);
    asked_.push_back(from == 0 ? name : name + " from " + std::to_string(from));
    if (const std::size_t end = request.find("\r\n\r\n") + 4; end < request.size()) told_.push_back(request.substr(end));
  }
  const auto file = files_.find(name);
  const int status = behaviour_.status != 0 ? behaviour_.status : file == files_.end() ? 404 : 0;
  if (status != 0) {
    const std::string page = "<html>no</html>";
    return sendAll(connection, "HTTP/1.1 " + std::to_string(status) + " No\r\nContent-Length: " + std::to_string(page.size()) + "\r\nConnection: close\r\n\r\n" + page);
  }
  const std::string& whole = file->second;
  const bool part = behaviour_.ranges && from > 0;
  if (part && from >= whole.size()) return sendAll(connection, "HTTP/1.1 416 Range Not Satisfiable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  std::string content = part ? whole.substr(from) : whole;
  std::string head = part ? "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes " + std::to_string(from) + "-" + std::to_string(whole.size() - 1) + "/" + std::to_string(whole.size()) + "\r\n"
                          : std::string("HTTP/1.1 200 OK\r\n");
  head += "Content-Length: " + std::to_string(content.size()) + "\r\nConnection: close\r\n\r\n";
  if (behaviour_.breakAfter != 0 && broken_ < behaviour_.breaks && content.size() > behaviour_.breakAfter) {
    ++broken_;
    content.resize(behaviour_.breakAfter);
  }
  sendAll(connection, head);
  sendAll(connection, content);
}

}  // namespace paceline::tests
