// paceline-test-sshd '{JSON}' (or -: then the first line of stdin is the JSON): one machine for tests, made of this one. A real sshd with keys of
// its own on a free loopback port; own PID, mount and UTS namespace, own home, shadow and passwd (in a private mount namespace: the system's stay
// as they are), on demand another network.
// Prints one JSON line when it listens; then takes commands on stdin, one word a line, each answered by one JSON line:
//   drop       ends every connection at once          freeze, thaw   nobody answers any more: connections stay open and silent
//   rekey      new host keys for new connections      processes      command lines of what runs there, without sshd and ourselves
//   crash      the machine ends, with all on it (so does the end of stdin)
// Keys of the JSON: sshd_fixture.h, SshdOptions. Needs root.
#include <arpa/inet.h>
#include <crypt.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>

#include <nlohmann/json.hpp>

#include "engine/core/base/error.h"

namespace paceline::tests {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

void check(bool good, const std::string& what) {
  if (!good) throw std::runtime_error(strCat(what, ": ", std::strerror(errno)));
}

std::string fileText(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

void writeFile(const fs::path& path, const std::string& text, mode_t mode = 0600) {
  std::ofstream(path) << text;
  ::chmod(path.c_str(), mode);
}

void keygen(const fs::path& file, const std::string& type) {
  fs::remove(file);
  fs::remove(file.string() + ".pub");
  const pid_t child = ::fork();
  if (child == 0) {
    const char* bits = type == "rsa" ? "3072" : "256";
    ::execlp("ssh-keygen", "ssh-keygen", "-q", "-t", type.c_str(), "-b", bits, "-N", "", "-C", "paceline-test", "-f", file.c_str(), nullptr);
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (status != 0) throw std::runtime_error(strCat("ssh-keygen of ", file.string(), " failed"));
}

// "NAME" of root's entry in passwd (field 5: home, 6: shell) and shadow (field 1: hash), replaced.
std::string withRootField(const std::string& text, int field, const std::string& value) {
  std::istringstream in(text);
  std::string out;
  for (std::string line; std::getline(in, line); out += line + "\n") {
    if (line.rfind("root:", 0) != 0) continue;
    std::size_t begin = 0;
    for (int i = 0; i < field; ++i) begin = line.find(':', begin) + 1;
    line.replace(begin, std::min(line.find(':', begin), line.size()) - begin, value);
  }
  return out;
}

class Machine {
 public:
  explicit Machine(const Json& options) : options_(options), folder_(options.at("folder").get<std::string>()), name_(options.value("name", "host")) {
    fs::create_directories(folder_ / "home");
    ::chmod((folder_ / "home").c_str(), 0700);
    makeHostKeys();
    if (!fs::exists(folder_ / "id_ed25519")) keygen(folder_ / "id_ed25519", "ed25519");
    if (!fs::exists(folder_ / "authorized_keys")) fs::copy_file(folder_ / "id_ed25519.pub", folder_ / "authorized_keys");
    writeConfiguration();
    listen();
    writeFile(folder_ / "known_hosts", knownHosts());
  }

  int run() {
    check(::unshare(CLONE_NEWPID) == 0, "unshare");
    const pid_t init = ::fork();
    check(init >= 0, "fork");
    if (init == 0) {
      try {
        becomeMachine();
        serve();
      } catch (const std::exception& error) {
        std::cerr << "paceline-test-sshd: " << error.what() << std::endl;
        ::_exit(1);
      }
      ::_exit(0);
    }
    int status = 0;
    while (::waitpid(init, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  }

 private:
  std::vector<std::string> keyTypes() const { return options_.value("hostKeyTypes", std::vector<std::string>{"ed25519"}); }
  fs::path hostKey(const std::string& type) const { return folder_ / ("host_" + type); }

  void makeHostKeys() {
    for (const std::string& type : keyTypes()) keygen(hostKey(type), type);
  }

  std::string knownHosts() const {
    std::string lines;
    for (const std::string& type : keyTypes()) {
      std::istringstream key(fileText(hostKey(type).string() + ".pub"));
      std::string kind, base64;
      key >> kind >> base64;
      lines += strCat("[", address_, "]:", port_, " ", kind, " ", base64, "\n");
    }
    return lines;
  }

  void writeConfiguration() {
    std::string text = "PidFile none\nUseDNS no\nStrictModes no\nPermitRootLogin yes\nPrintMotd no\nPrintLastLog no\nLogLevel VERBOSE\n";
    text += strCat("Subsystem sftp internal-sftp\nAuthorizedKeysFile ", (folder_ / "authorized_keys").string(), "\n");
    for (const std::string& type : keyTypes()) text += strCat("HostKey ", hostKey(type).string(), "\n");
    const int questions = options_.value("questions", 0);
    const bool password = !options_.value("password", "").empty();
    text += strCat("UsePAM ", questions > 0 ? "yes" : "no", "\nKbdInteractiveAuthentication ", questions > 0 ? "yes" : "no", "\n");
    text += strCat("PasswordAuthentication ", password && questions == 0 ? "yes" : "no", "\n");
    if (const std::string methods = options_.value("methods", ""); !methods.empty()) text += strCat("AuthenticationMethods ", methods, "\n");
    std::string env;
    for (const auto& [name, value] : options_.value("env", std::map<std::string, std::string>{})) env += strCat(" \"", name, "=", value, "\"");
    if (!env.empty()) text += strCat("SetEnv", env, "\n");
    for (const std::string& line : options_.value("settings", std::vector<std::string>{})) text += line + "\n";
    writeFile(folder_ / "sshd_config", text);
    std::string pam;
    for (int i = 0; i < questions; ++i) pam += i == 0 ? "auth required pam_unix.so nodelay\n" : "auth required pam_ftp.so ignore users=root\n";
    writeFile(folder_ / "pam", pam + "account required pam_permit.so\nsession required pam_permit.so\n", 0644);
  }

  static void enterNetwork(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    check(fd >= 0 && ::setns(fd, CLONE_NEWNET) == 0, path);
    ::close(fd);
  }

  void listen() {
    const int own = ::open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    const std::string network = options_.value("listenNetwork", "");
    if (!network.empty()) enterNetwork(network);
    address_ = options_.value("address", "127.0.0.1");
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_port = htons(static_cast<std::uint16_t>(options_.value("port", 0)));
    check(::inet_pton(AF_INET, address_.c_str(), &where.sin_addr) == 1, address_);
    check(::bind(listener_, reinterpret_cast<sockaddr*>(&where), sizeof where) == 0 && ::listen(listener_, 64) == 0, strCat("listen on ", address_));
    socklen_t size = sizeof where;
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&where), &size);
    port_ = ntohs(where.sin_port);
    check(::setns(own, CLONE_NEWNET) == 0, "setns");
    ::close(own);
  }

  void bindFile(const fs::path& source, const std::string& target) {
    check(::mount(source.c_str(), target.c_str(), nullptr, MS_BIND, nullptr) == 0, strCat("mount over ", target));
  }

  // Process 1 of its namespaces from here on.
  void becomeMachine() {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    check(::unshare(CLONE_NEWNS | CLONE_NEWUTS) == 0, "unshare");
    if (const std::string network = options_.value("runNetwork", ""); !network.empty()) enterNetwork(network);
    check(::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0, "mount /");
    check(::mount("proc", "/proc", "proc", 0, nullptr) == 0, "mount /proc");
    check(::sethostname(name_.data(), name_.size()) == 0, "sethostname");
    ::mkdir("/run/sshd", 0755);
    std::string passwd = withRootField(fileText("/etc/passwd"), 5, (folder_ / "home").string());
    if (const std::string shell = options_.value("shell", ""); !shell.empty()) passwd = withRootField(passwd, 6, shell);
    writeFile(folder_ / "passwd", passwd, 0644);
    bindFile(folder_ / "passwd", "/etc/passwd");
    if (const std::string password = options_.value("password", ""); !password.empty()) {
      writeFile(folder_ / "shadow", withRootField(fileText("/etc/shadow"), 1, ::crypt(password.c_str(), "$6$rounds=1000$pacelinetest")));
      bindFile(folder_ / "shadow", "/etc/shadow");
    }
    if (options_.value("questions", 0) > 0) bindFile(folder_ / "pam", "/etc/pam.d/sshd");
    for (const auto& [target, source] : options_.value("mounts", std::map<std::string, std::string>{}))
      check(::mount(source.c_str(), target.c_str(), nullptr, MS_BIND | MS_REC, nullptr) == 0, strCat("mount over ", target));
    for (const auto& [target, size] : options_.value("smallDisks", std::map<std::string, std::string>{})) {
      fs::create_directories(target);
      check(::mount("tmpfs", target.c_str(), "tmpfs", 0, strCat("size=", size).c_str()) == 0, strCat("mount at ", target));
    }
  }

  void say(const Json& line) { std::cout << line.dump() << std::endl; }

  void serve() {
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGCHLD);
    ::sigprocmask(SIG_BLOCK, &mask, nullptr);
    const int children = ::signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
    say({{"name", name_}, {"address", address_}, {"port", port_}, {"user", "root"}, {"folder", folder_.string()},
         {"identity", (folder_ / "id_ed25519").string()}, {"known_hosts", (folder_ / "known_hosts").string()}});
    for (;;) {
      pollfd polled[] = {{STDIN_FILENO, POLLIN, 0}, {children, POLLIN, 0}, {frozen_ ? -1 : listener_, POLLIN, 0}};
      if (::poll(polled, 3, -1) < 0) continue;
      if (polled[1].revents != 0) reap(children);
      if (polled[2].revents != 0) accept();
      if (polled[0].revents != 0 && !obey()) return;
    }
  }

  void reap(int children) {
    signalfd_siginfo ignored;
    while (::read(children, &ignored, sizeof ignored) > 0) {
    }
    for (pid_t pid; (pid = ::waitpid(-1, nullptr, WNOHANG)) > 0;) {
      const auto found = connections_.find(pid);
      if (found == connections_.end()) continue;
      ::close(found->second);
      connections_.erase(found);
    }
  }

  void accept() {
    const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) return;
    const pid_t pid = ::fork();
    if (pid == 0) {
      sigset_t none;
      sigemptyset(&none);
      ::sigprocmask(SIG_SETMASK, &none, nullptr);
      const std::string log = (folder_ / "sshd.log").string(), configuration = (folder_ / "sshd_config").string();
      ::dup2(connection, 0), ::dup2(connection, 1);
      const int nothing = ::open("/dev/null", O_WRONLY);
      ::dup2(nothing, 2);
      ::execl("/usr/sbin/sshd", "/usr/sbin/sshd", "-i", "-f", configuration.c_str(), "-E", log.c_str(), nullptr);
      ::_exit(127);
    }
    connections_[pid] = connection;
  }

  Json processes() const {
    Json lines = Json::array();
    for (const auto& entry : fs::directory_iterator("/proc")) {
      const std::string pid = entry.path().filename();
      if (pid.find_first_not_of("0123456789") != std::string::npos || pid == "1") continue;
      std::string line = fileText(entry.path() / "cmdline");
      for (char& c : line)
        if (c == '\0') c = ' ';
      if (!line.empty() && line.rfind("sshd:", 0) != 0 && line.rfind("/usr/sbin/sshd", 0) != 0) lines.push_back(pid + " " + line);
    }
    return lines;
  }

  bool obey() {
    char chunk[256];
    const ssize_t got = ::read(STDIN_FILENO, chunk, sizeof chunk);
    if (got <= 0) return false;
    input_.append(chunk, static_cast<std::size_t>(got));
    for (std::size_t newline; (newline = input_.find('\n')) != std::string::npos; input_.erase(0, newline + 1)) {
      const std::string word = input_.substr(0, newline);
      Json answer = {{"done", word}};
      if (word == "crash") {
        say(answer);
        return false;
      } else if (word == "drop") {
        for (const auto& [pid, socket] : connections_) ::shutdown(socket, SHUT_RDWR);
      } else if (word == "freeze" || word == "thaw") {
        frozen_ = word == "freeze";
        for (const auto& [pid, socket] : connections_) ::kill(pid, frozen_ ? SIGSTOP : SIGCONT);
      } else if (word == "rekey") {
        makeHostKeys();
        answer["known_hosts"] = knownHosts();  // the file keeps the old ones
      } else if (word == "processes") {
        answer["processes"] = processes();
      } else {
        answer = {{"unknown", word}};
      }
      say(answer);
    }
    return true;
  }

  Json options_;
  fs::path folder_;
  std::string name_, address_, input_;
  int listener_ = -1, port_ = 0;
  bool frozen_ = false;
  std::map<pid_t, int> connections_;  // sshd of each, and our copy of its socket
};

}  // namespace
}  // namespace paceline::tests

int main(int argc, char** argv) {
  try {
    if (argc != 2) throw std::runtime_error("usage: paceline-test-sshd '{\"folder\": \"/tmp/x\", \"name\": \"gpu1\"}'");
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    std::string options = argv[1];
    if (options == "-") {  // by the first line of stdin: a password is no argument
      options.clear();
      for (char c = 0; ::read(STDIN_FILENO, &c, 1) == 1 && c != '\n';) options += c;
    }
    return paceline::tests::Machine(paceline::tests::Json::parse(options)).run();
  } catch (const std::exception& error) {
    std::cerr << "paceline-test-sshd: " << error.what() << '\n';
    return 1;
  }
}
