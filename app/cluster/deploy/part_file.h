// A download that is not complete: <path>.part, locked while one process writes it. One thread.
// Throws Error{kNoSpace, kFile, kLocked} naming the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace paceline::deploy {

class PartFile {
 public:
  explicit PartFile(const std::string& path);  // of the complete file; makes its folder
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  std::int64_t size() const { return size_; }
  void append(std::string_view bytes);
  void clear();
  void requireSpace(std::int64_t bytes) const;  // free on its disk
  std::string sha256() const;
  void complete();  // becomes `path`
  void keepAsBad(); // becomes <path>.bad

 private:
  [[noreturn]] void failed(const char* what, int code) const;

  std::string path_, part_;
  int file_ = -1;
  std::int64_t size_ = 0;
};

}  // namespace paceline::deploy
