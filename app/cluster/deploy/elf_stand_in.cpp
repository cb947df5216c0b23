#include "app/cluster/deploy/elf_stand_in.h"

#include <elf.h>

namespace paceline::deploy {
namespace {

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
