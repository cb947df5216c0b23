#include "app/report/resolve.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "app/report/commands.h"
#include "app/report/numbers.h"
#include "engine/core/base/error.h"
#include "engine/core/base/text.h"

namespace paceline::report {
namespace {

constexpr std::size_t kHashSigns = 16;  // that tell configurations apart

std::string nameOnly(const std::string& path) { return std::filesystem::path(path).filename().string(); }

// As a shell takes it.
std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && std::ranges::all_of(word, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("._-+/").find(c) != std::string_view::npos; });
  if (plain) return word;
  std::string made = "'";
  for (const char c : word) made += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return made + "'";
}

// "2026-11-25 17:40 UTC"
std::string minuteText(double utc) {
  std::string text = utcText(utc);
  if (text.size() < 16) return "";
  text.resize(16);
  text[10] = ' ';
  return text + " UTC";
}

Footer footerOf(const Records& records, const Making& making) {
  Footer footer{.command = strCat("paceline report ", quoted(making.file.empty() ? "FILE" : nameOnly(making.file))), .version = programVersion(), .store = records.storeName(), .made = minuteText(making.madeUtc)};
  if (!making.output.empty()) footer.command += strCat(" -o ", quoted(nameOnly(making.output)));
  if (!making.store.empty()) footer.command += strCat(" --store ", quoted(nameOnly(making.store)));
  for (const store::RunRow& run : records.used())
    footer.runs.push_back({.name = run.name, .id = run.id, .configuration = run.configHash.substr(0, kHashSigns), .state = store::stateName(run.state), .seed = run.seed, .simulated = run.source == "simulated"});
  return footer;
}

class Resolver {
 public:
  Resolver(const Document& document, Records& records, const Titles& titles, const Making& making) : document_(document), making_(making), scope_{.document = document, .records = records, .titles = titles} {}

  Report resolve(const std::stop_token& stop) {
    scope_.records.begin();
    report_.title = document_.title, report_.author = document_.author, report_.problems = document_.problems;
    for (const Problem& each : document_.problems) told_.emplace(each.line, each.sentence);
    checkHead();
    for (const Block& block : document_.blocks) {
      if (stop.stop_requested()) break;
      add(block);
    }
    if (report_.title.empty()) titleFromHeading();
    for (const Problem& problem : document_.problems) report_.pieces.push_back({.kind = PieceKind::kProblem, .line = problem.line, .text = problem.text()});
    std::ranges::stable_sort(report_.pieces, {}, &Piece::line);
    std::ranges::stable_sort(report_.problems, {}, &Problem::line);
    report_.footer = footerOf(scope_.records, making_);
    return std::move(report_);
  }

 private:
  void problem(int line, const std::string& sentence) {
    if (!told_.emplace(line, sentence).second) return;
    report_.problems.push_back({line, sentence});
    report_.pieces.push_back({.kind = PieceKind::kProblem, .line = line, .text = report_.problems.back().text()});
  }

  // A run that the head names and the store lacks is told there, whether it is used or not.
  void checkHead() {
    for (const NamedRuns& named : document_.runs)
      for (const std::string& word : named.words) {
        try {
          scope_.records.run(word);
        } catch (const Error& error) {
          problem(named.line, error.what()), scope_.missing.insert(named.name);
        }
      }
  }

  void add(const Block& block) {
    switch (block.kind) {
      case BlockKind::kCode: report_.pieces.push_back({.kind = PieceKind::kCode, .line = block.line, .text = block.code}); break;
      case BlockKind::kCommand: addCommand(block); break;
      default: addText(block);
    }
  }

  void addCommand(const Block& block) {
    try {
      std::vector<Piece> made = piecesOf(block.command, scope_);
      for (Piece& piece : made) piece.line = block.line, report_.pieces.push_back(std::move(piece));
    } catch (const KnownProblem&) {  // told where the head names the run
    } catch (const Error& error) {
      problem(block.line, error.what());
    }
  }

  void addText(const Block& block) {
    static const std::map<BlockKind, PieceKind> kKinds = {{BlockKind::kHeading, PieceKind::kHeading}, {BlockKind::kBullet, PieceKind::kBullet}, {BlockKind::kNumbered, PieceKind::kNumbered}};
    const auto kind = kKinds.find(block.kind);
    Piece piece{.kind = kind == kKinds.end() ? PieceKind::kParagraph : kind->second, .line = block.line, .level = block.level};
    std::vector<Problem> wrong;
    for (const Span& span : block.spans) piece.words.push_back(wordOf(span, wrong));
    report_.pieces.push_back(std::move(piece));
    for (const Problem& each : wrong) problem(each.line, each.sentence);
  }

  Word wordOf(const Span& span, std::vector<Problem>& wrong) {
    Word word{.text = span.text, .bold = span.bold, .emphasis = span.emphasis, .code = span.code, .link = span.link};
    if (!span.live.term) return word;
    word.live = true, word.source = span.live.text;
    try {
      word.text = textOf(evaluated(span.live, {.operand = [this](const Operand& operand) { return number(operand); }, .word = [this](const std::string& name) { return named(name); }}), span.live.format);
    } catch (const KnownProblem&) {
      word.bad = true;
    } catch (const Error& error) {
      wrong.push_back({span.line, error.what()}), word.bad = true;
    }
    return word;
  }

  Value number(const Operand& operand) {
    std::vector<const summary::RunSummary*> runs;
    for (const std::string& word : scope_.storeWords(operand.run)) runs.push_back(&scope_.records.numbers(word, document_.target));
    return valueOf(operand, runs, scope_.titles);
  }

  Value named(const std::string& word) const {
    if (word == "target") return {.number = document_.target, .decimals = 0, .unit = "%"};
    if (word == "made") return {.text = minuteText(making_.madeUtc)};
    throw Error(Errc::kFormat, strCat("\"", quotable(word), "\" is not known; write a number of a run such as ", document_.runs.empty() ? std::string("RUN") : document_.runs.front().name, ".best_accuracy, or target, made"));
  }

  // Where the text begins with one.
  void titleFromHeading() {
    const auto first = std::ranges::find_if(report_.pieces, [](const Piece& piece) { return piece.kind != PieceKind::kProblem; });
    if (first == report_.pieces.end() || first->kind != PieceKind::kHeading || first->level != 1) return;
    for (const Word& word : first->words) report_.title += word.text;
    report_.pieces.erase(first);
  }

  const Document& document_;
  const Making& making_;
  Scope scope_;
  std::set<std::pair<int, std::string>> told_{};
  Report report_;
};

}  // namespace

Report resolved(const Document& document, Records& records, const Titles& titles, const Making& making, const std::stop_token& stop) { return Resolver(document, records, titles, making).resolve(stop); }

void refuseProblems(const std::string& file, const Report& report) {
  if (report.problems.empty()) return;
  const std::size_t more = report.problems.size() - 1;
  throw Error(Errc::kSpec, strCat(file, ": ", report.problems.front().text(), more == 0 ? "" : strCat("; and ", more, more == 1 ? " more problem" : " more problems")));
}

}  // namespace paceline::report
