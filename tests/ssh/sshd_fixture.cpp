#include "tests/ssh/sshd_fixture.h"

#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include <nlohmann/json.hpp>

#include "engine/core/base/error.h"

namespace paceline::tests {

using Json = nlohmann::json;

std::string noTestSshd() {
  static const std::string reason = []() -> std::string {
    if (::access("/usr/sbin/sshd", X_OK) != 0) return "needs /usr/sbin/sshd";
    bool allowed = false;
    std::thread([&allowed] { allowed = ::unshare(CLONE_NEWNET) == 0; }).join();
    return allowed ? "" : "needs root: a machine for tests has namespaces of its own";
  }();
  return reason;
}

TestSshd::TestSshd(const SshdOptions& options) : options_(options) {
  std::string pattern = (std::filesystem::temp_directory_path() / "paceline-sshd-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temp folder");
  folder_ = pattern;
  const Json json = {{"folder", pattern}, {"name", options.name}, {"address", options.address}, {"env", options.env},
                     {"hostKeyTypes", options.hostKeyTypes}, {"methods", options.methods}, {"password", options.password},
                     {"questions", options.questions}, {"shell", options.shell}, {"settings", options.settings},
                     {"listenNetwork", options.listenNetwork}, {"runNetwork", options.runNetwork}, {"mounts", options.mounts},
                     {"smallDisks", options.smallDisks}};
  machine_ = std::make_unique<hosts::LocalProcess>(std::vector<std::string>{PACELINE_TEST_DIR "/paceline-test-sshd", "-"});
  machine_->writeLine(json.dump());
  const auto line = machine_->readLine(60);
  if (!line) throw std::runtime_error(strCat("no sshd: ", machine_->wait().errors));
  port_ = Json::parse(*line)["port"].get<int>();
}

TestSshd::~TestSshd() {
  machine_->closeInput();
  machine_->wait();  // until nothing runs there any more
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

hosts::HostEntry TestSshd::entry() const {
  hosts::HostEntry entry;
  entry.name = options_.name;
  entry.address = options_.address;
  entry.port = port_;
  entry.user = "root";
  entry.identity = (folder_ / "id_ed25519").string();
  entry.knownHosts = (folder_ / "known_hosts").string();
  return entry;
}

std::string TestSshd::log() const {
  std::ifstream in(folder_ / "sshd.log");
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string TestSshd::command(const std::string& word) {
  machine_->writeLine(word);
  const auto line = machine_->readLine(60);
  if (!line) throw std::runtime_error(strCat("the machine does not answer \"", word, "\""));
  return *line;
}

void TestSshd::drop() { command("drop"); }
void TestSshd::freeze() { command("freeze"); }
void TestSshd::thaw() { command("thaw"); }
std::string TestSshd::rekey() { return Json::parse(command("rekey"))["known_hosts"].get<std::string>(); }
std::vector<std::string> TestSshd::processes() { return Json::parse(command("processes"))["processes"].get<std::vector<std::string>>(); }

void TestSshd::crash() {
  command("crash");
  machine_->wait();
}

TestNetwork::TestNetwork() {
  std::thread([this] {
    if (::unshare(CLONE_NEWNET) != 0) return;
    fd_ = ::open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
    const int any = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    ifreq loopback{};
    loopback.ifr_name[0] = 'l', loopback.ifr_name[1] = 'o';
    loopback.ifr_flags = IFF_UP;
    ::ioctl(any, SIOCSIFFLAGS, &loopback);
    ::close(any);
  }).join();
  if (fd_ < 0) throw std::runtime_error("cannot make a network namespace");
}

TestNetwork::~TestNetwork() { ::close(fd_); }

std::string TestNetwork::path() const { return strCat("/proc/", ::getpid(), "/fd/", fd_); }

}  // namespace paceline::tests
