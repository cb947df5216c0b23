// SQLite behind RAII; the only header of storage that SQL goes through, private to it and its tests. A Database and its
// statements belong to one thread. Throws Error: kFormat (not a database), kStore; Unavailable where the disk is the reason (kNoSpace, kStore; kFormat: damaged);
// the message begins with the file's path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/core/base/held_files.h"
#include "storage/store/records.h"

struct sqlite3;
struct sqlite3_stmt;

namespace paceline::store {

class Database;

// One use of a prepared statement; resets it at its end. Texts bound must outlive the use.
class Statement {
 public:
  Statement(Database& database, sqlite3_stmt* handle) : database_(&database), handle_(handle) {}
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  template <class... Values>
  Statement& bind(const Values&... values) {  // from the first parameter on
    (bindNext(values), ...);
    return *this;
  }
  void bindNext(std::int64_t value);
  void bindNext(int value) { bindNext(static_cast<std::int64_t>(value)); }
  void bindNext(bool value) { bindNext(static_cast<std::int64_t>(value)); }
  void bindNext(double value);  // not finite: as the text "NaN", "Infinity" or "-Infinity"
  void bindNext(std::string_view value);
  void bindNext(const std::string& value) { bindNext(std::string_view(value)); }
  void bindNext(const char* value) { bindNext(std::string_view(value)); }
  void bindNext(const std::optional<double>& value);
  void bindNext(std::uint64_t value);                      // its 64 bits: large ones look negative
  void bindNext(RunState state) { bindNext(stateName(state)); }
  void bindNext(const std::vector<std::int64_t>& values);  // as the text of a JSON array
  void bindNext(const std::vector<std::string>& values);
  void bindNext(std::span<const std::byte> bytes);         // as a blob

  bool step();  // true: there is a row
  void run();   // to the end, then ready to be bound again

  // The next column of the row.
  void read(std::int64_t& value);
  void read(std::uint64_t& value);
  void read(int& value);
  void read(bool& value);
  void read(double& value);
  void read(std::string& value);
  void read(std::optional<double>& value);
  void read(RunState& state);  // kStale: a state that this version does not know
  void read(std::vector<std::int64_t>& values);  // throws Error{kFormat} when the text is no such list
  void read(std::vector<std::string>& values);   // passes over what is no text
  std::span<const std::byte> nextBytes();  // until the next step
  template <class... Values>
  void readNext(Values&... values) {
    (read(values), ...);
  }
  template <class Value>
  Value next() {
    Value value{};
    read(value);
    return value;
  }

 private:
  void bindCopy(const std::string& text);
  double realAt(int column);

  Database* database_;
  sqlite3_stmt* handle_;
  int parameter_ = 0, column_ = 0;
};

class Database {
 public:
  enum class Mode { kRead, kWrite };
  // To write: a file that is not there is made, for this user alone. To read: where nothing may be written or fits, as the file stands (immutable()).
  Database(const std::string& path, Mode mode);
  ~Database();
  Database(Database&& other) noexcept { swap(other); }  // without open statements, as the next
  Database& operator=(Database&& other) noexcept { return swap(other), *this; }

  void execute(const std::string& sql);  // any number of statements
  // `sql` must live as long as this: prepared once, found again by its address.
  Statement statement(const char* sql);
  std::int64_t number(const char* sql);  // the first column of the first row
  std::string text(const char* sql);
  std::int64_t changes() const;  // rows that the last statement wrote
  bool inTransaction() const;
  bool immutable() const { return immutable_; }  // taken for a file that nobody writes: what is written later is not seen
  void copyTo(const std::string& path);  // all that is committed, into a new file and to the disk; whatever became of the name of this one
  const std::string& path() const { return path_; }
  [[noreturn]] void fail(int code);

 private:
  void swap(Database& other) noexcept;
  void open(const std::string& name, int flags);
  void openAsItStands();

  std::string path_;
  sqlite3* handle_ = nullptr;
  bool immutable_ = false;
  std::unordered_map<const char*, sqlite3_stmt*> prepared_;
  HeldFile held_;
};

}  // namespace paceline::store
