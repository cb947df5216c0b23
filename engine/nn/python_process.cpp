#include "engine/nn/python_process.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <sstream>
#include <utility>

#include "engine/core/base/clock.h"
#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "python/objective_source.h"

namespace paceline {
namespace {

constexpr int kChannel = 3, kMemory = 4, kReport = 5;  // of the child
constexpr const char* kPackage = "paceline_objective.py";
constexpr std::size_t kMostAnswer = std::size_t{16} << 20;  // bytes

// A process with limits may write no file; what is made here is its own, not the command's.
class MayWrite {
 public:
  MayWrite() {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit free{.rlim_cur = before_.rlim_max, .rlim_max = before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &free);
  }
  ~MayWrite() { ::setrlimit(RLIMIT_FSIZE, &before_); }
  MayWrite(const MayWrite&) = delete;
  MayWrite& operator=(const MayWrite&) = delete;

 private:
  rlimit before_{};
};

void writeFile(const std::string& path, std::string_view bytes) {
  const Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file || !writeAll(file.get(), bytes)) throw Error(Errc::kFile, strCat("cannot write ", path, ": ", std::strerror(errno)));
}

std::vector<std::string> wordsOf(const std::string& command) {
  std::istringstream stream(command);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::vector<std::string> environmentFor(int threads) {
  const std::string count = std::to_string(threads);
  const std::vector<std::string> ours = {"PACELINE_OBJECTIVE=" + strCat(kChannel, ",", kMemory), "PYTHONDONTWRITEBYTECODE=1", "PYTHONUNBUFFERED=1", "OMP_NUM_THREADS=" + count,
                                         "OPENBLAS_NUM_THREADS=" + count, "MKL_NUM_THREADS=" + count};
  std::vector<std::string> all = ours;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view key = text.substr(0, text.find('=') + 1);
    if (std::ranges::none_of(ours, [&](const std::string& own) { return own.starts_with(key); })) all.emplace_back(text);
  }
  return all;
}

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Of the child, between fork and exec: nothing here takes memory.
[[noreturn]] void become(std::array<int, 4> given, char* const* arguments, char* const* variables) {
  ::setpgid(0, 0);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  std::signal(SIGPIPE, SIG_DFL);
  constexpr int kAbove = 16;  // so that none lies where another goes
  for (int& fd : given) fd = ::fcntl(fd, F_DUPFD, kAbove);
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(given[0], STDOUT_FILENO), ::dup2(given[0], STDERR_FILENO);
  ::dup2(given[1], kChannel), ::dup2(given[2], kMemory), ::dup2(given[3], kReport);
  ::fcntl(kReport, F_SETFD, FD_CLOEXEC);
  ::close_range(kReport + 1, ~0U, 0);
  ::execvpe(arguments[0], arguments, variables);
  const int problem = errno;
  [[maybe_unused]] const ssize_t written = ::write(kReport, &problem, sizeof problem);
  ::_exit(127);
}

// Of the guard: waits until its parent closes the pipe or ends, then ends the group and removes what the parent has made. It stays out of the parent's group.
[[noreturn]] void guard(int life, pid_t group, const char* file, const char* package, const char* folder) {
  ::setpgid(0, 0);
  if (life != 3) ::dup2(life, 3);
  ::close_range(0, 2, 0), ::close_range(4, ~0U, 0);
  char byte;
  while (::read(3, &byte, 1) < 0 && errno == EINTR) continue;
  ::kill(-group, SIGKILL);
  ::unlink(file), ::unlink(package), ::rmdir(folder);
  ::_exit(0);
}

}  // namespace

PythonProcess::PythonProcess(Options options) : options_(std::move(options)), name_(strCat("model command \"", quotable(options_.command, 100), " ", quotable(fileName(options_.file), 100), "\"")) {
  const std::string bytes = bytesOf(options_.file);
  if (options_.file.path.ends_with(kPackage)) throw Error(Errc::kSpec, strCat(options_.file.path, " is Paceline's half of a model in Python; name your own file"));
  std::error_code error;
  folder_ = (std::filesystem::temp_directory_path(error) / "paceline-model-XXXXXX").string();
  if (::mkdtemp(folder_.data()) == nullptr) throw Error(Errc::kFile, strCat("cannot make a folder for the model: ", std::strerror(errno)));
  try {
    file_ = strCat(folder_, "/", fileName(options_.file).empty() ? "model.py" : fileName(options_.file)), package_ = strCat(folder_, "/", kPackage);
    {
      const MayWrite mayWrite;
      writeFile(file_, bytes), writeFile(package_, kObjectiveSource);
    }
    start();
  } catch (...) {
    end();
    std::filesystem::remove_all(folder_, error);
    throw;
  }
}

PythonProcess::~PythonProcess() {
  end();
  if (shared_ != nullptr) ::munmap(shared_, sharedBytes_);
}

void PythonProcess::start() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw Error(Errc::kHost, strCat("cannot make a socket: ", std::strerror(errno)));
  channel_ = Fd(ends[0]);
  Fd theirs(ends[1]);
  memory_ = Fd(::memfd_create("paceline", MFD_CLOEXEC));
  Pipe words, report, life;
  std::vector<std::string> command = wordsOf(options_.command), variables = environmentFor(options_.threads);
  if (command.empty()) refuse("the command is empty");
  command.push_back(file_);
  const std::vector<char*> arguments = pointersTo(command), entries = pointersTo(variables);
  child_ = forked();
  if (child_ == 0) become({words.write.get(), theirs.get(), memory_.get(), report.write.get()}, arguments.data(), entries.data());
  ::setpgid(child_, child_);
  guard_ = forked();
  if (guard_ == 0) guard(life.read.get(), child_, file_.c_str(), package_.c_str(), folder_.c_str());
  life_ = std::move(life.write), words_ = std::move(words.read);
  report.write.close(), words.write.close(), theirs.close();
  if (const int problem = reportedProblem(report.read); problem != 0) refuse(strCat("cannot be started: ", std::strerror(problem)));
}

void PythonProcess::end() {
  life_.close(), channel_.close();
  if (guard_ > 0) waitedFor(std::exchange(guard_, -1));
  if (child_ > 0) waitedFor(std::exchange(child_, -1));
}

void PythonProcess::refuse(const std::string& why) {
  end();
  throw Error(Errc::kSpec, strCat(name_, " ", why));
}

bool PythonProcess::takeWords() {
  char chunk[4096];
  const ssize_t got = ::read(words_.get(), chunk, sizeof chunk);
  if (got < 0 && errno == EINTR) return true;
  if (got <= 0) return false;
  const std::string_view text(chunk, static_cast<std::size_t>(got));
  writeAll(STDERR_FILENO, text);
  for (const char c : text) {
    if (c != '\n' && line_.size() < 400) line_ += c;
    if (c != '\n') continue;
    if (line_.find_first_not_of(" \t\r") != std::string::npos) lastWords_ = line_;
    line_.clear();
  }
  return true;
}

// A channel closes a little before its process ends, which may say why until then.
bool PythonProcess::endsSoon() {
  constexpr double kSeconds = 5;
  const Fd process(static_cast<int>(::syscall(SYS_pidfd_open, child_, 0)));
  const std::unique_ptr<Clock> clock = steadyClock();
  const double until = clock->now() + kSeconds;
  bool speaks = true;
  for (double left = kSeconds; left > 0; left = until - clock->now()) {
    pollfd both[] = {{.fd = process.get(), .events = POLLIN, .revents = 0}, {.fd = speaks ? words_.get() : -1, .events = POLLIN, .revents = 0}};
    ::poll(both, 2, static_cast<int>(left * 1000) + 1);
    if (both[0].revents != 0) return true;
    if (both[1].revents != 0) speaks = takeWords();
  }
  return false;
}

void PythonProcess::refuseEnded() {
  const bool ended = endsSoon();
  ::kill(-child_, SIGKILL);  // what it has started, too
  const int status = waitedFor(std::exchange(child_, -1));
  if (!ended) refuse("has closed its channel and goes on");
  pollfd more{.fd = words_.get(), .events = POLLIN, .revents = 0};
  while (::poll(&more, 1, 0) > 0 && takeWords()) continue;
  if (!line_.empty()) lastWords_ = line_;
  std::string how = WIFEXITED(status) ? strCat("ended with exit code ", WEXITSTATUS(status)) : strCat("was ended by signal ", WTERMSIG(status));
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) how = "took more CPU time than it may";
  refuse(lastWords_.empty() ? how : strCat(how, ": ", quotable(lastWords_, 300)));
}

Json PythonProcess::ask(const Json& request) {
  if (child_ < 0) throw Error(Errc::kSpec, strCat(name_, " has ended"));
  const std::string line = request.dump() + "\n";
  const auto send = [&](std::string_view rest) { return ::send(channel_.get(), rest.data(), rest.size(), MSG_NOSIGNAL); };
  if (!writeAll(line, send)) refuseEnded();
  const std::unique_ptr<Clock> clock = steadyClock();
  const double until = clock->now() + options_.answerSeconds;
  bool speaks = true;
  while (received_.find('\n') == std::string::npos) {
    pollfd both[] = {{.fd = channel_.get(), .events = POLLIN, .revents = 0}, {.fd = speaks ? words_.get() : -1, .events = POLLIN, .revents = 0}};
    const double left = until - clock->now();
    if (left <= 0) refuse(strCat("has not answered for ", options_.answerSeconds, " s"));
    if (::poll(both, 2, static_cast<int>(std::min(left * 1000 + 1, 1e9))) < 0 && errno != EINTR) refuse(strCat("cannot be asked: ", std::strerror(errno)));
    if (both[1].revents != 0) speaks = takeWords();
    if (both[0].revents == 0) continue;
    char chunk[65536];
    const ssize_t got = ::read(channel_.get(), chunk, sizeof chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) refuseEnded();
    received_.append(chunk, static_cast<std::size_t>(got));
    if (received_.size() > kMostAnswer) refuse("gives an answer without an end");
  }
  const std::string answer = received_.substr(0, received_.find('\n'));
  received_.erase(0, answer.size() + 1);
  std::vector<Finding> findings;
  const std::optional<Json> read = parseJson(answer, findings);
  if (!read || !read->is_object()) refuse(strCat("answers ", quotable(answer, 60), ", which is no JSON object"));
  if (const auto error = read->find("error"); error != read->end()) refuse(strCat("says: ", quotable(error->is_string() ? error->get<std::string>() : error->dump(), 300)));
  return *read;
}

std::span<std::byte> PythonProcess::share(std::size_t bytes) {
  const MayWrite mayWrite;
  if (::ftruncate(memory_.get(), static_cast<off_t>(bytes)) != 0) throw Error(Errc::kHost, strCat("cannot share ", bytes, " bytes with the model: ", std::strerror(errno)));
  void* const at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory_.get(), 0);
  if (at == MAP_FAILED) throw Error(Errc::kHost, strCat("cannot share ", bytes, " bytes with the model: ", std::strerror(errno)));
  shared_ = at, sharedBytes_ = bytes;
  return {static_cast<std::byte*>(at), bytes};
}

}  // namespace paceline
