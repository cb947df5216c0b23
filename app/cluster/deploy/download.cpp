#include "app/cluster/deploy/download.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/socket.h>

#include <curl/curl.h>

#include "engine/core/base/clock.h"
#include "engine/core/base/disk.h"
#include "engine/core/base/error.h"
#include "engine/core/base/fd.h"
#include "engine/core/base/hash.h"
#include "engine/core/base/text.h"

namespace paceline::deploy {
namespace {

constexpr long kConnectSeconds = 20, kStallSeconds = 60;
constexpr int kRestarts = 5;  // of a connection that broke off after it had brought something

std::string hostOf(const std::string& url) {
  const std::size_t begin = url.find("://") == std::string::npos ? 0 : url.find("://") + 3;
  return url.substr(begin, url.find_first_of("/?#", begin) - begin);
}

// A download that is not complete: <path>.part, locked while one process writes it. One thread.
// Throws Error{kNoSpace, kFile, kLocked} naming the file.
class PartFile {
 public:
  explicit PartFile(const std::string& path) : path_(path), part_(partOf(path)) {
    const std::string folder = disk::folderOf(path);
    if (disk::makeFolders(folder) != 0) disk::refuse("cannot make the folder " + folder, errno);
    file_ = Fd(disk::open(part_, O_RDWR | O_CREAT | O_APPEND, 0644));
    if (!file_) failed("cannot be written", errno);
    if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) throw Error(Errc::kLocked, strCat(part_, ": another process is downloading it"));
    std::error_code error;
    size_ = static_cast<std::int64_t>(std::filesystem::file_size(part_, error));
    if (error) failed("cannot be read", error.value());
  }

  ~PartFile() {
    if (size_ == 0) disk::remove(part_);  // nothing to go on from
  }
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  std::int64_t size() const { return size_; }
  std::string sha256() const { return sha256OfFile(part_); }

  void append(std::string_view bytes) {
    const bool whole = disk::writeAll(file_.get(), bytes);
    const int reason = errno;
    size_ = static_cast<std::int64_t>(::lseek(file_.get(), 0, SEEK_END));
    if (!whole) failed("cannot be written", reason);
  }

  void clear() {
    if (disk::truncate(file_.get(), 0) != 0) failed("cannot be emptied", errno);
    size_ = 0;
  }

  void requireSpace(std::int64_t bytes) const {  // free on its disk
    std::error_code unknown;
    const auto left = static_cast<std::int64_t>(std::filesystem::space(part_, unknown).available);
    if (!unknown && left < bytes) throw Error(Errc::kNoSpace, strCat(path_, ": needs ", bytesText(bytes), " more, its disk has ", bytesText(left), " left"));
  }

  void complete() {  // becomes `path`
    if (disk::sync(file_.get()) != 0 || disk::rename(part_, path_) != 0) failed("cannot be put in place", errno);
    if (disk::syncFolder(disk::folderOf(path_)) != 0) disk::refuse(path_ + " is complete, but may not survive a power cut: cannot sync its folder", errno);
  }

  void keepAsBad() {  // becomes <path>.bad
    if (disk::rename(part_, path_ + ".bad") != 0) failed("cannot be renamed", errno);
  }

 private:
  [[noreturn]] void failed(const char* what, int code) const {
    disk::refuse(strCat(part_, ": ", what), code);
  }

  std::string path_, part_;  // of the complete file; its folder is made
  Fd file_;
  std::int64_t size_ = 0;
};

// One request: all, or the rest of a part.
class Request {
 public:
  Request(const Download& what, PartFile& part) : what_(what), part_(part), curl_(curl_easy_init(), &curl_easy_cleanup) {
    PACELINE_CHECK(curl_ != nullptr, "curl_easy_init");
    began_ = told_ = steadySeconds();
    from_ = part_.size();
    set(CURLOPT_URL, what_.url.c_str());
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_FOLLOWLOCATION, 1L);
    set(CURLOPT_MAXREDIRS, 8L);
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    set(CURLOPT_USERAGENT, "paceline/" PACELINE_VERSION);
    set(CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
    set(CURLOPT_LOW_SPEED_LIMIT, 1L);
    set(CURLOPT_LOW_SPEED_TIME, kStallSeconds);
    set(CURLOPT_ERRORBUFFER, message_);
    set(CURLOPT_WRITEFUNCTION, &onBytes);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, &onTick);
    set(CURLOPT_XFERINFODATA, this);
    set(CURLOPT_OPENSOCKETFUNCTION, &onSocket);
    set(CURLOPT_OPENSOCKETDATA, this);
    // Not CURLOPT_RESUME_FROM: that is an error where the server answers with all of the file, which we take.
    if (from_ > 0) set(CURLOPT_RANGE, strCat(from_, "-").c_str());
  }

  CURLcode perform() {
    const CURLcode code = curl_easy_perform(curl_.get());
    if (failure_) std::rethrow_exception(failure_);
    if (what_.stop.stop_requested()) throw Error(Errc::kStopped, strCat(what_.url, ": stopped; the same command goes on from ", bytesText(part_.size())));
    return code;
  }

  long status() const {
    long status = 0;
    curl_easy_getinfo(curl_.get(), CURLINFO_RESPONSE_CODE, &status);
    return status;
  }
  // What libcurl says, with the reason of a connection that failed, which it leaves out.
  std::string problem(CURLcode code) const {
    const std::string said = *message_ != '\0' ? message_ : curl_easy_strerror(code);
    long reason = 0;
    curl_easy_getinfo(curl_.get(), CURLINFO_OS_ERRNO, &reason);
    const std::string why = reason != 0 ? std::strerror(static_cast<int>(reason)) : "";
    return why.empty() || said.find(why) != std::string::npos ? said : strCat(said, ": ", why);
  }
  int socketProblem() const { return socketProblem_; }  // errno; 0: one could be made
  std::int64_t fetched() const { return fetched_; }
  bool resumed() const { return resumed_; }

 private:
  template <class Value>
  void set(CURLoption option, Value value) {
    PACELINE_CHECK(curl_easy_setopt(curl_.get(), option, value) == CURLE_OK, strCat("curl option ", static_cast<int>(option)));
  }

  static std::size_t onBytes(char* bytes, std::size_t size, std::size_t count, void* self) {
    auto& request = *static_cast<Request*>(self);
    try {
      request.take({bytes, size * count});
    } catch (...) {  // exceptions do not cross libcurl's C
      request.failure_ = std::current_exception();
      return 0;
    }
    return size * count;
  }

  static curl_socket_t onSocket(void* self, curlsocktype, curl_sockaddr* address) {
    const int made = ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    static_cast<Request*>(self)->socketProblem_ = made < 0 ? errno : 0;
    return made < 0 ? CURL_SOCKET_BAD : made;
  }

  static int onTick(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    const auto& request = *static_cast<const Request*>(self);
    return request.what_.stop.stop_requested() ? 1 : 0;
  }

  // Where the bytes of the last answer begin in the file; -1: it does not say.
  std::int64_t rangeBegin() const {
    curl_header* range = nullptr;
    if (curl_easy_header(curl_.get(), "content-range", 0, CURLH_HEADER, -1, &range) != CURLHE_OK) return -1;
    const std::string value = lowerCase(range->value), unit = "bytes ";
    return value.starts_with(unit) ? std::strtoll(value.c_str() + unit.size(), nullptr, 10) : -1;
  }

  void take(std::string_view bytes) {
    if (status() != 200 && status() != 206) return;  // the page that says why not
    if (fetched_ == 0) begin();
    const std::int64_t limit = what_.bytes;
    if (limit > 0 && part_.size() + static_cast<std::int64_t>(bytes.size()) > limit) {
      part_.clear();
      throw Error(Errc::kFormat, strCat(what_.url, ": the server sends more than the ", limit, " bytes that were published"));
    }
    part_.append(bytes);
    fetched_ += static_cast<std::int64_t>(bytes.size());
    tell();
  }

  // The first bytes: those that were asked for, or all of the file from the beginning.
  void begin() {
    const std::int64_t sent = rangeBegin();
    resumed_ = from_ > 0 && status() == 206 && sent == from_;
    if (!resumed_ && part_.size() > 0) part_.clear();
    if (status() == 206 && !resumed_ && sent > 0)
      throw Error(Errc::kHost, strCat(what_.url, ": asked for the bytes from ", from_, " on, the server sends those from ", sent));
    if (what_.bytes > 0) part_.requireSpace(what_.bytes - part_.size());
  }

  void tell() {
    const double now = steadySeconds();
    const bool last = what_.bytes > 0 && part_.size() == what_.bytes;
    if (!what_.onProgress || (!last && now - told_ < 0.1)) return;
    told_ = now;
    DownloadProgress progress{.bytesDone = part_.size(), .bytesTotal = what_.bytes};
    const double seconds = now - began_;
    if (seconds > 0) progress.rateBytesPerSecond = static_cast<double>(fetched_) / seconds;
    if (progress.rateBytesPerSecond > 0) progress.etaSeconds = static_cast<double>(std::max<std::int64_t>(0, what_.bytes - part_.size())) / progress.rateBytesPerSecond;
    what_.onProgress(progress);
  }

  const Download& what_;
  PartFile& part_;
  std::unique_ptr<CURL, void (*)(CURL*)> curl_;
  char message_[CURL_ERROR_SIZE] = {};
  std::exception_ptr failure_ = nullptr;
  std::int64_t from_ = 0, fetched_ = 0;
  bool resumed_ = false;
  int socketProblem_ = 0;
  double began_ = 0, told_ = 0;
};

bool brokeOff(CURLcode code) { return code == CURLE_PARTIAL_FILE || code == CURLE_RECV_ERROR || code == CURLE_GOT_NOTHING; }

[[noreturn]] void refuse(const Download& what, CURLcode code, const Request& request, std::int64_t done) {
  const std::string host = hostOf(what.url), why = request.problem(code);
  const std::string left = done > 0 ? strCat("; the same command goes on from ", bytesText(done)) : "";
  if (brokeOff(code)) throw Error(Errc::kHost, strCat(host, " broke off the download of ", what.url, " (", why, ")", left));
  if (request.socketProblem() != 0) throw Error(Errc::kHost, strCat(what.url, ": no socket can be made: ", std::strerror(request.socketProblem()), left));
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY: throw Error(Errc::kHost, strCat(host, " cannot be found; is there a network? (", why, ")", left));
    case CURLE_COULDNT_CONNECT: throw Error(Errc::kHost, strCat(host, " cannot be reached; is there a network? (", why, ")", left));
    case CURLE_OPERATION_TIMEDOUT: throw Error(Errc::kHost, strCat(host, " does not answer (", why, ")", left));
    default: throw Error(Errc::kHost, strCat(what.url, ": ", why, left));
  }
}

void refuseStatus(const Download& what, long status) {
  if (status == 200 || status == 206) return;
  throw Error(Errc::kHost, strCat(what.url, ": the server answers ", status, status == 404 ? " (not found)" : ""));
}

// Until all of it is there. A connection that breaks off is made again as long as each one brings something.
void fetch(const Download& what, PartFile& part, Downloaded& result) {
  for (int tries = 0;; ++tries) {
    if (what.bytes > 0 && part.size() == what.bytes) return;
    Request request(what, part);
    const CURLcode code = request.perform();
    result.fetched += request.fetched();
    result.resumed |= request.resumed();
    if (code == CURLE_OK && request.status() == 416 && part.size() > 0) {  // there is nothing behind what we have: it is not this file's
      part.clear();
      continue;
    }
    if (code == CURLE_OK) {
      refuseStatus(what, request.status());
      if (what.bytes > 0 && part.size() < what.bytes)
        throw Error(Errc::kFormat, strCat(what.url, ": the server's file has ", part.size(), " bytes, the published one ", what.bytes));
      return;
    }
    if (!brokeOff(code) || request.fetched() == 0 || tries == kRestarts) refuse(what, code, request, part.size());
  }
}

}  // namespace

Downloaded download(const Download& what) {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);  // once, whichever thread comes first
  PACELINE_CHECK(started == CURLE_OK, "curl_global_init");
  Downloaded result;
  std::error_code missing;
  if (std::filesystem::is_regular_file(what.path, missing) && !what.sha256.empty() && sha256OfFile(what.path) == what.sha256) {
    result.there = true;
    result.bytes = static_cast<std::int64_t>(std::filesystem::file_size(what.path));
    return result;
  }
  PartFile part(what.path);
  if (what.bytes > 0 && part.size() > what.bytes) part.clear();
  for (;;) {
    const bool before = part.size() > 0;
    fetch(what, part, result);
    const std::string found = what.sha256.empty() ? "" : part.sha256();
    if (found == what.sha256) break;
    if (before && (result.resumed || result.fetched == 0)) {  // what was left may have been another version's: once more, from the beginning
      part.clear();
      result.resumed = false;
      continue;
    }
    part.keepAsBad();
    throw Error(Errc::kFormat, strCat(what.url, ": its SHA-256 is ", found, ", the published one is ", what.sha256, "; the file is kept as ", what.path, ".bad"));
  }
  part.complete();
  result.bytes = part.size();
  return result;
}

}  // namespace paceline::deploy
