#include "agent/supervisor/probe/probe.h"

#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "engine/core/base/file_text.h"
#include "engine/core/base/user_folders.h"

namespace paceline::probe {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kChunk = 1 << 20, kOverlap = 256;  // a version string is far shorter than the overlap

bool isVersionChar(char c) { return (c >= '0' && c <= '9') || c == '.'; }

std::vector<int> numbersOf(const std::string& version) {
  std::vector<int> numbers;
  std::istringstream fields(version);
  for (std::string field; std::getline(fields, field, '.');) numbers.push_back(std::atoi(field.c_str()));
  return numbers;
}

std::string versionAt(const std::string& text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && end - at < 24 && isVersionChar(text[end])) ++end;
  std::string version = text.substr(at, end - at);
  while (!version.empty() && version.back() == '.') version.pop_back();
  return version;
}

// Every place of `word` in the file, as the text from there on (what fits into the overlap at least).
void everyPlace(const std::string& file, const std::string& word, const std::function<void(const std::string&, std::size_t)>& found) {
  std::ifstream in(file, std::ios::binary);
  std::string held;
  std::string chunk(kChunk, '\0');
  while (in) {
    in.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    held.append(chunk, 0, static_cast<std::size_t>(in.gcount()));
    const std::size_t sure = in ? held.size() - std::min(held.size(), kOverlap) : held.size();
    for (std::size_t at = held.find(word); at < sure; at = held.find(word, at + 1)) found(held, at + word.size());
    held.erase(0, sure);
  }
}

// The loader's cache holds the paths of all libraries it knows, each ended by a NUL byte.
std::vector<std::string> cachedPaths(const std::string& cacheFile, const std::string& name) {
  const std::string text = fileText(cacheFile).value_or("");
  std::vector<std::string> paths;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\0', begin), text.size());
    const std::string_view word(text.data() + begin, end - begin);
    if (word.starts_with('/') && word.substr(word.rfind('/') + 1).starts_with(name)) paths.emplace_back(word);
    begin = end + 1;
  }
  return paths;
}

// In the loader's order: LD_LIBRARY_PATH, its cache, its default folders.
std::vector<std::string> candidates(const std::string& root, const std::string& name) {
  std::vector<std::string> files;
  const auto lookIn = [&](const std::string& folder) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
      if (entry->path().filename().string().starts_with(name)) files.push_back(entry->path().string());
  };
  std::istringstream given(environment("LD_LIBRARY_PATH"));
  for (std::string folder; std::getline(given, folder, ':');)
    if (!folder.empty()) lookIn(folder);
  for (const std::string& path : cachedPaths(root + "/etc/ld.so.cache", name)) files.push_back(root + path);
  for (const char* folder : {"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/lib64",
                             "/usr/lib64", "/lib", "/usr/lib", "/usr/local/lib", "/opt/libtorch/lib"})
    lookIn(root + folder);
  return files;
}

std::string firstOfOurs(const std::string& root, const std::string& name) {
  for (const std::string& file : candidates(root, name)) {
    if (!isOurElf(file)) continue;
    std::error_code error;
    const fs::path real = fs::canonical(file, error);
    return error ? file : real.string();
  }
  return "";
}

std::string quotedAfter(const fs::path& file, const std::string& word) {  // `__version__ = '2.1.0+cu118'`
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const std::size_t at = line.find(word);
    const std::size_t open = at == std::string::npos ? at : line.find_first_of("'\"", at);
    if (open != std::string::npos) return versionAt(line, open + 1);
  }
  return "";
}

// A wheel has version.py, the zip of pytorch.org build-version; Debian's file has it in its name.
std::string torchVersionOf(const std::string& file) {
  const fs::path above = fs::path(file).parent_path().parent_path();
  if (const std::string version = quotedAfter(above / "version.py", "__version__"); !version.empty()) return version;
  if (const std::string version = versionAt(fileText(above / "build-version").value_or(""), 0); !version.empty()) return version;
  const std::string name = fs::path(file).filename().string();
  const std::size_t at = name.find(".so.");
  return at == std::string::npos ? "" : versionAt(name, at + 4);
}

}  // namespace

bool isOurElf(const std::string& file) {
#if defined(__aarch64__)
  constexpr unsigned kMachine = EM_AARCH64;
#else
  constexpr unsigned kMachine = EM_X86_64;
#endif
  Elf64_Ehdr header{};
  std::ifstream in(file, std::ios::binary);
  return in.read(reinterpret_cast<char*>(&header), sizeof header) && std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_machine == kMachine;
}

std::string highestVersionIn(const std::string& file, const std::string& prefix) {
  std::string highest;
  everyPlace(file, prefix, [&](const std::string& text, std::size_t at) {
    const std::string version = versionAt(text, at);
    if (!version.empty() && version.front() != '.' && numbersOf(version) > numbersOf(highest)) highest = version;
  });
  return highest;
}

std::string libcVersionOf(const std::string& file) {
  std::string banner;  // "GNU C Library (Debian GLIBC 2.36-9) stable release version 2.36."
  everyPlace(file, "GNU C Library (", [&](const std::string& text, std::size_t at) {
    constexpr std::string_view kWord = "release version ";
    const std::size_t word = text.find(kWord, at);
    if (banner.empty() && word != std::string::npos && word - at < kOverlap) banner = versionAt(text, word + kWord.size());
  });
  return banner.empty() ? highestVersionIn(file, "GLIBC_") : banner;
}

LibraryFacts libraryFacts(const std::string& root) {
  LibraryFacts facts;
  facts.libcFile = firstOfOurs(root, "libc.so.6");
  if (!facts.libcFile.empty()) {
    facts.libc = libcVersionOf(facts.libcFile);
  } else if (facts.libcFile = firstOfOurs(root, "ld-musl-"); !facts.libcFile.empty()) {
    facts.libc = "musl";
  }
  facts.libstdcxxFile = firstOfOurs(root, "libstdc++.so.6");
  if (!facts.libstdcxxFile.empty()) {
    facts.glibcxx = highestVersionIn(facts.libstdcxxFile, "GLIBCXX_");
    facts.cxxabi = highestVersionIn(facts.libstdcxxFile, "CXXABI_");
  }
  facts.torchFile = firstOfOurs(root, "libtorch_cpu.so");
  if (!facts.torchFile.empty()) facts.torch = torchVersionOf(facts.torchFile);
  return facts;
}

}  // namespace paceline::probe
