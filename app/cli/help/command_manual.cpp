#include "app/cli/help/command_manual.h"

#include <algorithm>
#include <regex>
#include <set>

namespace paceline::cli {
namespace {

using Kind = ManualBlock::Kind;

constexpr std::size_t kMostCommands = 12;  // of a page's examples
constexpr const char* kUsedBy = "used by";
constexpr const char* kEveryCommand = "every command";

// Chapters whose sentences lean on what stands before them, or only list and measure: a page names them, but takes nothing out of them.
const std::set<std::string> kToBeReadWhole = {"index.md", "01-tutorial.md", "15-features.md", "16-measured.md"};

// The commands of a block: "$ paceline new | paceline validate -", "build/bin/paceline backup DIR   # a copy". Those that shall fail are none to follow.
std::vector<std::string> commandsOf(const ManualBlock& block) {
  static const std::regex loop("^(while|until|for|!) .*");
  std::vector<std::string> commands;
  if (block.kind != Kind::kCode || block.language == "json") return commands;
  for (std::string line : block.lines) {
    const bool prompted = line.starts_with("$ ");
    if (block.language == "console" && !prompted) continue;
    if (prompted) line.erase(0, 2);
    static const std::string built = "build/bin/";
    for (std::size_t at = line.find(built); at != std::string::npos; at = line.find(built)) line.erase(at, built.size());
    if (!std::regex_match(line, loop)) commands.push_back(line);
  }
  return commands;
}

// The commands that a line calls: "new" and "validate" of the above.
std::vector<std::string> calledIn(const std::string& line) {
  static const std::regex call("(?:^|[\\s(|;&\"])paceline(?: --store \\S+)? ([a-z]+)(?![\\w-])");
  std::vector<std::string> called;
  for (std::sregex_iterator at(line.begin(), line.end(), call), end; at != end; ++at) called.push_back((*at)[1]);
  return called;
}

bool calls(const std::string& line, const std::string& command) { return std::ranges::count(calledIn(line), command) > 0; }

bool beginsWithWord(const std::string& text, const std::string& word) {
  return text.starts_with(word) && (text.size() == word.size() || text[word.size()] == ' ');
}

// Where sentences begin; a full stop in code ends none.
std::vector<std::string> sentencesOf(const std::string& text) {
  std::vector<std::string> sentences{""};
  bool code = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '`') code = !code;
    if (!code && text[i] == ' ' && i > 0 && (text[i - 1] == '.' || text[i - 1] == ':')) sentences.emplace_back();
    else sentences.back() += text[i];
  }
  return sentences;
}

class Finder {
 public:
  Finder(std::string command, CommandManual& found) : command_(std::move(command)), found_(found) {}

  void take(const ManualChapter& chapter) {
    bool named = false;
    for (const ManualSection& section : chapter.sections) named |= take(section, kToBeReadWhole.contains(chapter.file));
    if (named) found_.chapters.push_back(chapter.file);
  }

 private:
  bool take(const ManualSection& section, bool leave) {
    survey(section);
    const bool named = called_ || std::ranges::any_of(section.blocks, [this](const ManualBlock& block) { return block.kind != Kind::kCode && std::ranges::any_of(block.lines, [this](const std::string& line) { return names(line, true); }); });
    if (!named || leave) return named;
    CommandManual::Told told{.title = section.title};
    for (std::size_t i = 0; i < section.blocks.size(); ++i) {
      const ManualBlock& block = section.blocks[i];
      if (block.kind == Kind::kCode) takeExample(block, i > 0 ? &section.blocks[i - 1] : nullptr);
      else if (block.kind == Kind::kTable) takeTable(block, alone_ || (i > 0 && !told.blocks.empty() && whole(section.blocks[i - 1])), told);
      else if (!leads(section.blocks, i)) takeText(block, told);
    }
    if (!told.blocks.empty()) found_.told.push_back(std::move(told));
    return true;
  }

  void survey(const ManualSection& section) {
    called_ = false, alone_ = true;
    for (const ManualBlock& block : section.blocks)
      for (const std::string& line : commandsOf(block))
        for (const std::string& called : calledIn(line)) called == command_ ? called_ = true : alone_ = false;
    alone_ &= called_;
  }

  // "`paceline queue go`"; where the section calls the command, "`queue go`", too, unless it shall be said in full.
  bool names(const std::string& text, bool full = false) const {
    return std::ranges::any_of(codeSpansOf(text), [&](const std::string& span) { return beginsWithWord(span, "paceline " + command_) || (!full && called_ && beginsWithWord(span, command_)); });
  }

  bool whole(const ManualBlock& block) const { return alone_ || (block.kind == Kind::kParagraph && names(sentencesOf(block.lines.front()).front())); }

  bool calledBy(const ManualBlock& block) const {
    return std::ranges::any_of(commandsOf(block), [this](const std::string& line) { return calls(line, command_); });
  }

  // A paragraph that ends with a colon belongs to the commands below it.
  bool leads(const std::vector<ManualBlock>& blocks, std::size_t i) const {
    return blocks[i].kind == Kind::kParagraph && blocks[i].lines.front().ends_with(':') && i + 1 < blocks.size() && calledBy(blocks[i + 1]);
  }

  void takeText(const ManualBlock& block, CommandManual::Told& told) const {
    if (whole(block)) return told.blocks.push_back(block);
    std::string text;
    for (const std::string& sentence : sentencesOf(block.lines.front()))
      if (names(sentence)) text += (text.empty() ? "" : " ") + sentence;
    if (!text.empty()) told.blocks.push_back({.kind = block.kind, .lines = {text}});
  }

  void takeTable(const ManualBlock& block, bool belongs, CommandManual::Told& told) {
    const std::vector<std::string> heads = cellsOf(block.lines.front());
    if (heads.back() == kUsedBy || heads.front() == "command") return;  // a list of commands says less than their help
    ManualBlock rows{.kind = Kind::kTable, .lines = {block.lines.front()}};
    for (std::size_t row = 1; row < block.lines.size(); ++row) {
      if (belongs || names(block.lines[row], true)) rows.lines.push_back(block.lines[row]);
    }
    if (rows.lines.size() > 1) told.blocks.push_back(std::move(rows));
  }

  void takeExample(const ManualBlock& block, const ManualBlock* before) {
    CommandManual::Example example;
    for (const std::string& line : commandsOf(block)) {
      const bool shown = calls(line, command_) || (alone_ && block.language == "console");
      if (!shown || count_ == kMostCommands || !shown_.insert(line).second) continue;
      example.commands.push_back(line);
      ++count_;
    }
    if (std::ranges::none_of(example.commands, [this](const std::string& line) { return calls(line, command_); })) return;
    const bool leads = block.language == "console" && calls(commandsOf(block).front(), command_);
    if (leads && before != nullptr && before->kind == Kind::kParagraph && before->lines.front().ends_with(':')) example.words = before->lines.front();
    found_.examples.push_back(std::move(example));
  }

  std::string command_;
  CommandManual& found_;
  bool called_ = false, alone_ = false;  // the section calls the command; it calls no other
  std::set<std::string> shown_;
  std::size_t count_ = 0;
};

void takeUsed(const std::string& command, const ManualBlock& table, CommandManual& found) {
  const std::vector<std::string> heads = cellsOf(table.lines.front());
  if (heads.size() != 3 || heads.back() != kUsedBy) return;
  for (std::size_t row = 1; row < table.lines.size(); ++row) {
    const std::vector<std::string> cells = cellsOf(table.lines[row]);
    const bool used = command.empty() || cells.back() == kEveryCommand || std::ranges::any_of(codeSpansOf(cells.back()), [&](const std::string& span) { return beginsWithWord(span, command); });
    if (used) (heads.front() == "file" ? found.files : found.variables).push_back({.name = cells[0], .words = cells[1]});
  }
}

}  // namespace

CommandManual commandManual(const std::string& command, const std::vector<ManualChapter>& chapters) {
  CommandManual found;
  Finder finder(command, found);
  for (const ManualChapter& chapter : chapters) {
    if (!command.empty()) finder.take(chapter);
    for (const ManualSection& section : chapter.sections)
      for (const ManualBlock& block : section.blocks)
        if (block.kind == Kind::kTable) takeUsed(command, block, found);
  }
  return found;
}

}  // namespace paceline::cli
