#include "storage/store/sqlite.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include "engine/core/base/disk.h"
#include "engine/core/base/fd.h"
#include "engine/core/json/json_text.h"
#include "storage/store/store.h"

namespace paceline::store {
namespace {

constexpr int kBusyMilliseconds = 5000;  // only while a connection recovers the log of a process that was killed

bool meansNoSpace(int code, int systemError) {
  if (code == SQLITE_FULL) return true;
  const bool ofSystem = code == SQLITE_IOERR || code == SQLITE_CANTOPEN;
  return ofSystem && (systemError == ENOSPC || systemError == EFBIG || systemError == EDQUOT);
}

// Of the disk, or of who else is at the file; not of what was asked.
bool mayPass(int code) {
  return code == SQLITE_IOERR || code == SQLITE_CANTOPEN || code == SQLITE_READONLY || code == SQLITE_BUSY || code == SQLITE_LOCKED || code == SQLITE_PROTOCOL;
}

// SQLite gives a new database 0644, and its log what the database has. A file that is there is not opened: see held_files.h.
void makePrivate(const std::string& path) {
  const Fd made(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
}

std::string immutableUri(const std::string& path) {
  std::string uri = "file:";
  char code[4];
  for (const char c : path) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("/._-").find(c) != std::string_view::npos;
    std::snprintf(code, sizeof code, "%%%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
    uri += plain ? std::string(1, c) : std::string(code);
  }
  return uri + "?immutable=1";
}

}  // namespace

Statement::~Statement() {
  sqlite3_reset(handle_);
  sqlite3_clear_bindings(handle_);
}

void Statement::bindNext(std::int64_t value) { sqlite3_bind_int64(handle_, ++parameter_, value); }

void Statement::bindNext(double value) {
  if (std::isfinite(value))
    sqlite3_bind_double(handle_, ++parameter_, value);
  else
    bindNext(std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
}

void Statement::bindNext(std::string_view value) {
  const char* data = value.data() == nullptr ? "" : value.data();  // a null pointer would be NULL
  sqlite3_bind_text64(handle_, ++parameter_, data, value.size(), SQLITE_STATIC, SQLITE_UTF8);
}

void Statement::bindNext(const std::optional<double>& value) {
  if (value)
    bindNext(*value);
  else
    sqlite3_bind_null(handle_, ++parameter_);
}

void Statement::bindNext(std::uint64_t value) { bindNext(std::bit_cast<std::int64_t>(value)); }
void Statement::bindNext(const std::vector<std::int64_t>& values) { bindCopy(dumped(Json(values))); }
void Statement::bindNext(const std::vector<std::string>& values) { bindCopy(dumped(Json(values))); }

void Statement::bindNext(std::span<const std::byte> bytes) {
  if (bytes.empty()) sqlite3_bind_zeroblob(handle_, ++parameter_, 0);  // a null pointer would be NULL
  else sqlite3_bind_blob64(handle_, ++parameter_, bytes.data(), bytes.size(), SQLITE_STATIC);
}

void Statement::bindCopy(const std::string& text) {  // of a text that is gone before the statement runs
  sqlite3_bind_text64(handle_, ++parameter_, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

bool Statement::step() {
  column_ = 0;
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_->fail(code);
  return false;
}

void Statement::run() {
  while (step()) {
  }
  sqlite3_reset(handle_);
  parameter_ = 0;
}

void Statement::read(std::int64_t& value) { value = sqlite3_column_int64(handle_, column_++); }
void Statement::read(std::uint64_t& value) { value = std::bit_cast<std::uint64_t>(next<std::int64_t>()); }
void Statement::read(RunState& state) { state = stateFromName(next<std::string>()).value_or(RunState::kStale); }
void Statement::read(int& value) { value = sqlite3_column_int(handle_, column_++); }
void Statement::read(bool& value) { value = sqlite3_column_int(handle_, column_++) != 0; }
void Statement::read(double& value) { value = realAt(column_++); }

void Statement::read(std::string& value) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(handle_, column_));
  value.assign(text == nullptr ? "" : text, static_cast<std::size_t>(sqlite3_column_bytes(handle_, column_)));
  ++column_;
}

std::span<const std::byte> Statement::nextBytes() {
  const void* bytes = sqlite3_column_blob(handle_, column_);
  const std::span found(static_cast<const std::byte*>(bytes), static_cast<std::size_t>(sqlite3_column_bytes(handle_, column_)));
  ++column_;
  return found;
}

void Statement::read(std::optional<double>& value) {
  value = sqlite3_column_type(handle_, column_) == SQLITE_NULL ? std::nullopt : std::optional<double>(realAt(column_));
  ++column_;
}

void Statement::read(std::vector<std::int64_t>& values) {
  const auto text = next<std::string>();
  const Json list = jsonOrNull(text);
  if (!list.is_array() || !std::all_of(list.begin(), list.end(), [](const Json& item) { return item.is_number_integer(); }))
    throw Error(Errc::kFormat, strCat("the store holds \"", quotable(text, 80), "\" where a list of whole numbers belongs"));
  values = list.get<std::vector<std::int64_t>>();
}

void Statement::read(std::vector<std::string>& values) {
  values.clear();
  const Json list = jsonOrNull(next<std::string>());
  for (const Json& item : list.is_array() ? list : Json::array())
    if (item.is_string()) values.push_back(item.get<std::string>());
}

double Statement::realAt(int column) {
  if (sqlite3_column_type(handle_, column) != SQLITE_TEXT) return sqlite3_column_double(handle_, column);
  const std::string_view text(reinterpret_cast<const char*>(sqlite3_column_text(handle_, column)));
  if (text == "Infinity") return std::numeric_limits<double>::infinity();
  if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
  return std::numeric_limits<double>::quiet_NaN();
}

Database::Database(const std::string& path, Mode mode) : path_(path) {
  if (mode == Mode::kWrite) makePrivate(path);
  open(path, mode == Mode::kRead ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  if (mode == Mode::kRead) openAsItStands();
}

void Database::open(const std::string& name, int flags) {
  const int code = sqlite3_open_v2(name.c_str(), &handle_, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  if (code == SQLITE_OK) {
    sqlite3_extended_result_codes(handle_, 1);
    sqlite3_busy_timeout(handle_, kBusyMilliseconds);
    held_ = HeldFile(path_);
    return;
  }
  try {
    fail(code);
  } catch (...) {
    sqlite3_close(handle_);
    throw;
  }
}

// Where nothing may be written, or the disk is full, there is no place for the index of the log. A store without a log is read without one.
void Database::openAsItStands() {
  const int code = sqlite3_exec(handle_, "PRAGMA schema_version", nullptr, nullptr, nullptr), primary = code & 0xff;
  const bool full = code == SQLITE_IOERR_SHMSIZE || meansNoSpace(primary, sqlite3_system_errno(handle_));
  const bool forbidden = (primary == SQLITE_READONLY || primary == SQLITE_CANTOPEN) && ::access(disk::folderOf(path_).c_str(), W_OK) != 0;
  if (!full && !forbidden) return;
  struct stat log {};
  sqlite3_close(std::exchange(handle_, nullptr));
  if (::stat((path_ + "-wal").c_str(), &log) == 0 && log.st_size > 0)
    throw Error(full ? Errc::kNoSpace : Errc::kStore, strCat(path_, ": its newest records are in ", path_, "-wal, which cannot be read ",
                                                             full ? "while its disk is full; make room there" : "in a folder where nothing may be written; copy both files to another folder"));
  immutable_ = true;
  open(immutableUri(path_), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
}

void Database::swap(Database& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(handle_, other.handle_);
  std::swap(immutable_, other.immutable_);
  std::swap(prepared_, other.prepared_);
  std::swap(held_, other.held_);
}

Database::~Database() {
  for (const auto& [sql, prepared] : prepared_) sqlite3_finalize(prepared);
  sqlite3_close(handle_);
}

void Database::execute(const std::string& sql) {
  const int code = sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

Statement Database::statement(const char* sql) {
  sqlite3_stmt*& prepared = prepared_[sql];
  if (prepared == nullptr) {
    const int code = sqlite3_prepare_v3(handle_, sql, -1, SQLITE_PREPARE_PERSISTENT, &prepared, nullptr);
    if (code != SQLITE_OK) fail(code);
  }
  return {*this, prepared};
}

std::int64_t Database::number(const char* sql) {
  Statement query = statement(sql);
  return query.step() ? query.next<std::int64_t>() : 0;
}

std::string Database::text(const char* sql) {
  Statement query = statement(sql);
  return query.step() ? query.next<std::string>() : std::string();
}

void Database::copyTo(const std::string& path) {
  Database copy(path, Mode::kWrite);  // its commit is synchronised: SQLite's default
  sqlite3_backup* const backup = sqlite3_backup_init(copy.handle_, "main", handle_, "main");
  if (backup == nullptr) copy.fail(sqlite3_errcode(copy.handle_));
  const int stepped = sqlite3_backup_step(backup, -1), finished = sqlite3_backup_finish(backup);
  if (finished != SQLITE_OK || stepped != SQLITE_DONE) copy.fail(finished != SQLITE_OK ? finished : stepped);
}

std::int64_t Database::changes() const { return sqlite3_changes64(handle_); }
bool Database::inTransaction() const { return sqlite3_get_autocommit(handle_) == 0; }

void Database::fail(int code) {
  const int lastError = errno;
  const int primary = code & 0xff;
  int systemError = handle_ == nullptr ? 0 : sqlite3_system_errno(handle_);
  if (systemError == 0) systemError = lastError;  // SQLite does not keep it when a COMMIT fails
  std::string words = handle_ == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(handle_);
  if (meansNoSpace(primary, systemError))
    throw Unavailable(Errc::kNoSpace, strCat(path_, ": no space left; what was committed before is kept"));
  if (primary == SQLITE_NOTADB)
    throw Error(Errc::kFormat, strCat(path_, ": is not a Paceline store (", words, "); nothing was changed"));
  if (primary == SQLITE_CORRUPT) throw Unavailable(Errc::kFormat, strCat(path_, ": the store is damaged (", words, ")"));  // until somebody mends it
  const bool ofSystem = primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN;
  if (ofSystem && systemError != 0) words += strCat(": ", std::strerror(systemError));
  if (mayPass(primary)) throw Unavailable(Errc::kStore, strCat(path_, ": ", words));
  throw Error(Errc::kStore, strCat(path_, ": ", words));
}

}  // namespace paceline::store
