#include "app/cluster/deploy/elf.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <optional>
#include <sys/mman.h>
#include <sys/stat.h>

#include "engine/core/base/error.h"
#include "engine/core/base/fd.h"

namespace paceline::deploy {
namespace {

// The bytes of a file while it is read.
class Mapped {
 public:
  explicit Mapped(const std::string& path) {
    const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status{};
    int problem = !file || ::fstat(file.get(), &status) != 0 ? errno : 0;
    if (problem == 0 && S_ISDIR(status.st_mode)) problem = EISDIR;
    if (problem == 0 && status.st_size > 0) {
      size_ = static_cast<std::size_t>(status.st_size);
      data_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.get(), 0);
      if (data_ == MAP_FAILED) problem = errno;
    }
    if (problem != 0) throw Error(Errc::kFile, strCat("cannot read ", path, ": ", std::strerror(problem)));
  }
  ~Mapped() {
    if (size_ > 0) ::munmap(data_, size_);
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;
  std::string_view bytes() const { return {static_cast<const char*>(data_), size_}; }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& path) : bytes_(bytes) { file_.path = path; }

  ElfFile read() {
    readHeaders();
    readDynamic();
    const std::size_t count = symbolCount();
    const std::map<int, std::string> names = versionNames();
    for (std::size_t i = 1; i < count; ++i) addSymbol(i, names);
    return std::move(file_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { throw Error(Errc::kFormat, strCat(file_.path, " is no usable program or library: ", why)); }

  template <class T>
  T at(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) refuse("it is cut short");
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof(T));
    return value;
  }

  std::string textAt(std::uint64_t offset) const {
    if (offset >= bytes_.size()) refuse("a name lies outside of it");
    const std::size_t end = bytes_.find('\0', offset);
    if (end == std::string_view::npos) refuse("a name has no end");
    return std::string(bytes_.substr(offset, end - offset));
  }
  std::string name(std::uint64_t index) const { return textAt(strings_ + index); }

  std::uint64_t offsetOf(std::uint64_t address) const {
    for (const Elf64_Phdr& load : loads_)
      if (address >= load.p_vaddr && address - load.p_vaddr < load.p_filesz) return load.p_offset + (address - load.p_vaddr);
    refuse("an address lies outside of it");
  }

  void readHeaders() {
    if (bytes_.size() < EI_NIDENT || bytes_.substr(0, SELFMAG) != ELFMAG) refuse("it is not in ELF");
    if (bytes_[EI_CLASS] != ELFCLASS64 || bytes_[EI_DATA] != ELFDATA2LSB) refuse("it is not 64-bit little-endian");
    const auto header = at<Elf64_Ehdr>(0);
    file_.machine = header.e_machine;
    if (header.e_phentsize != sizeof(Elf64_Phdr) && header.e_phnum > 0) refuse("its program headers have an unknown size");
    for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
      const auto segment = at<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
      if (segment.p_type == PT_LOAD) loads_.push_back(segment);
      if (segment.p_type == PT_INTERP) file_.interpreter = textAt(segment.p_offset);
      if (segment.p_type == PT_DYNAMIC) dynamic_ = segment;
    }
  }

  void readDynamic() {
    std::vector<std::uint64_t> neededNames;
    std::optional<std::uint64_t> soname;
    for (std::uint64_t i = 0; i < dynamic_.p_filesz / sizeof(Elf64_Dyn); ++i) {
      const auto entry = at<Elf64_Dyn>(dynamic_.p_offset + i * sizeof(Elf64_Dyn));
      if (entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_NEEDED) neededNames.push_back(entry.d_un.d_val);
      if (entry.d_tag == DT_SONAME) soname = entry.d_un.d_val;
      if (entry.d_tag != DT_NEEDED) tags_[entry.d_tag] = entry.d_un.d_val;
    }
    if (!tags_.contains(DT_STRTAB)) return;  // a static program
    strings_ = offsetOf(tags_[DT_STRTAB]);
    for (const std::uint64_t index : neededNames) file_.needed.push_back(name(index));
    if (soname) file_.soname = name(*soname);
  }

  // The loader needs no count and the file has none; it follows from the hash tables.
  std::size_t symbolCount() const {
    if (const auto hash = tags_.find(DT_HASH); hash != tags_.end()) return at<std::uint32_t>(offsetOf(hash->second) + 4);
    const auto hash = tags_.find(DT_GNU_HASH);
    if (hash == tags_.end()) return 0;
    const std::uint64_t table = offsetOf(hash->second);
    const auto buckets = at<std::uint32_t>(table), first = at<std::uint32_t>(table + 4), words = at<std::uint32_t>(table + 8);
    const std::uint64_t bucketsAt = table + 16 + std::uint64_t{words} * 8, chainsAt = bucketsAt + std::uint64_t{buckets} * 4;
    std::uint32_t last = 0;
    for (std::uint64_t i = 0; i < buckets; ++i) last = std::max(last, at<std::uint32_t>(bucketsAt + i * 4));
    if (last < first) return first;
    while ((at<std::uint32_t>(chainsAt + std::uint64_t{last - first} * 4) & 1) == 0) ++last;
    return std::size_t{last} + 1;
  }

  // Index in DT_VERSYM -> version, of what is needed and what is defined. Chains are bounded by their counts.
  std::map<int, std::string> versionNames() {
    std::map<int, std::string> names;
    if (tags_.contains(DT_VERNEED)) {
      std::uint64_t need = offsetOf(tags_[DT_VERNEED]);
      for (std::uint64_t left = tags_[DT_VERNEEDNUM]; left > 0; --left) {
        const auto entry = at<Elf64_Verneed>(need);
        std::vector<std::string>& versions = file_.versions[name(entry.vn_file)];
        std::uint64_t version = need + entry.vn_aux;
        for (int i = 0; i < entry.vn_cnt; ++i) {
          const auto aux = at<Elf64_Vernaux>(version);
          versions.push_back(name(aux.vna_name));
          names[aux.vna_other & 0x7fff] = versions.back();
          version += aux.vna_next;
        }
        if (entry.vn_next == 0) break;
        need += entry.vn_next;
      }
    }
    if (tags_.contains(DT_VERDEF)) {
      std::uint64_t definition = offsetOf(tags_[DT_VERDEF]);
      for (std::uint64_t left = tags_[DT_VERDEFNUM]; left > 0; --left) {
        const auto entry = at<Elf64_Verdef>(definition);
        if (entry.vd_cnt > 0) names[entry.vd_ndx & 0x7fff] = name(at<Elf64_Verdaux>(definition + entry.vd_aux).vda_name);
        if (entry.vd_next == 0) break;
        definition += entry.vd_next;
      }
    }
    return names;
  }

  void addSymbol(std::size_t index, const std::map<int, std::string>& versions) {
    const auto symbol = at<Elf64_Sym>(offsetOf(tags_[DT_SYMTAB] + index * sizeof(Elf64_Sym)));
    const int bind = ELF64_ST_BIND(symbol.st_info);
    if (bind == STB_LOCAL) return;
    ElfSymbol found{.name = name(symbol.st_name), .version = "", .defined = symbol.st_shndx != SHN_UNDEF};
    if (const auto table = tags_.find(DT_VERSYM); table != tags_.end()) {
      const int version = at<std::uint16_t>(offsetOf(table->second + index * 2)) & 0x7fff;
      if (const auto known = versions.find(version); version > VER_NDX_GLOBAL && known != versions.end()) found.version = known->second;
    }
    file_.symbols.push_back(std::move(found));
  }

  std::string_view bytes_;
  ElfFile file_;
  std::vector<Elf64_Phdr> loads_;
  Elf64_Phdr dynamic_{};
  std::map<std::int64_t, std::uint64_t> tags_;
  std::uint64_t strings_ = 0;  // offset of the dynamic string table
};

// "GLIBC_2.34" raises `highest` to "2.34"; "GLIBC_PRIVATE" and "GLIBC_ABI_DT_RELR" are no numbers.
void raise(std::string& highest, std::string_view version, std::string_view prefix) {
  if (!version.starts_with(prefix)) return;
  const std::string number(version.substr(prefix.size()));
  if (number.find_first_not_of("0123456789.") == std::string::npos && olderVersion(highest, number)) highest = number;
}

// Everything in one writable segment, because the loader writes addresses into the dynamic section. File offsets are addresses.
struct Layout {
  Elf64_Ehdr header{};
  Elf64_Phdr load{}, dynamicPart{}, stack{};
  Elf64_Dyn dynamic[7]{};
  Elf64_Word hash[4]{1, 1, 0, 0};  // one bucket, one symbol: none is found
  Elf64_Sym symbol{};              // the first one means "undefined"
};

constexpr Elf64_Xword kPage = 0x10000;  // the largest page size of any Linux: alignment must be a multiple

template <class T>
Elf64_Addr offsetIn(const Layout& layout, const T& member) {
  return static_cast<Elf64_Addr>(reinterpret_cast<const char*>(&member) - reinterpret_cast<const char*>(&layout));
}

Elf64_Phdr segment(Elf64_Word type, Elf64_Addr offset, Elf64_Xword size, Elf64_Xword align) {
  Elf64_Phdr made{};
  made.p_type = type;
  made.p_flags = PF_R | PF_W;  // no PF_X: without such a stack segment the loader makes the stack executable
  made.p_offset = made.p_vaddr = made.p_paddr = offset;
  made.p_filesz = made.p_memsz = size;
  made.p_align = align;
  return made;
}

}  // namespace

ElfFile readElf(const std::string& path) {
  const Mapped file(path);
  return Reader(file.bytes(), path).read();
}

bool olderVersion(const std::string& a, const std::string& b) { return ::strverscmp(a.c_str(), b.c_str()) < 0; }

ElfNeeds elfNeeds(const std::vector<std::string>& paths) {
  ElfNeeds needs;
  for (const std::string& path : paths)
    for (const auto& [library, versions] : readElf(path).versions)
      for (const std::string& version : versions) {
        raise(needs.glibc, version, "GLIBC_");
        raise(needs.glibcxx, version, "GLIBCXX_");
        raise(needs.cxxabi, version, "CXXABI_");
      }
  return needs;
}

std::string emptyLibrary(const std::string& soname, int machine) {
  const std::string strings = std::string(1, '\0') + soname + '\0';
  Layout out;
  const Elf64_Xword total = sizeof out + strings.size();
  for (int i = 0; i < SELFMAG; ++i) out.header.e_ident[i] = static_cast<unsigned char>(ELFMAG[i]);
  out.header.e_ident[EI_CLASS] = ELFCLASS64;
  out.header.e_ident[EI_DATA] = ELFDATA2LSB;
  out.header.e_ident[EI_VERSION] = EV_CURRENT;
  out.header.e_type = ET_DYN;
  out.header.e_machine = static_cast<Elf64_Half>(machine);
  out.header.e_version = EV_CURRENT;
  out.header.e_phoff = offsetIn(out, out.load);
  out.header.e_ehsize = sizeof(Elf64_Ehdr);
  out.header.e_phentsize = sizeof(Elf64_Phdr);
  out.header.e_phnum = 3;
  out.header.e_shentsize = sizeof(Elf64_Shdr);
  out.load = segment(PT_LOAD, 0, total, kPage);
  out.dynamicPart = segment(PT_DYNAMIC, offsetIn(out, out.dynamic), sizeof out.dynamic, 8);
  out.stack = segment(PT_GNU_STACK, 0, 0, 16);
  const Elf64_Dyn entries[] = {{DT_SONAME, {1}},
                               {DT_HASH, {offsetIn(out, out.hash)}},
                               {DT_STRTAB, {sizeof out}},
                               {DT_SYMTAB, {offsetIn(out, out.symbol)}},
                               {DT_STRSZ, {strings.size()}},
                               {DT_SYMENT, {sizeof(Elf64_Sym)}},
                               {DT_NULL, {0}}};
  for (std::size_t i = 0; i < 7; ++i) out.dynamic[i] = entries[i];
  return std::string(reinterpret_cast<const char*>(&out), sizeof out) + strings;
}

}  // namespace paceline::deploy
