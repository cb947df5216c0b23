#include "app/report/commands.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "app/figures/budget.h"
#include "app/figures/published.h"
#include "app/figures/results.h"
#include "app/figures/timeline.h"
#include "engine/core/base/text.h"
#include "engine/core/json/differences.h"
#include "engine/core/json/json_text.h"

namespace paceline::report {
namespace {

constexpr std::size_t kMostDifferences = 200, kValueBytes = 60;
constexpr std::size_t kLaneRounds = 1200;  // of a lane, about

const std::map<std::string, XAxis> kAxes = {{"time", XAxis::kTime}, {"rounds", XAxis::kRounds}, {"epochs", XAxis::kEpochs}, {"samples", XAxis::kSamples}, {"bytes", XAxis::kBytes}};

template <class Named>
std::string keysOf(const Named& named) {
  std::string keys;
  for (const auto& [key, value] : named) keys += (keys.empty() ? "" : ", ") + std::string(key);
  return keys;
}

// Options of one command: what is not taken is not known.
class Options {
 public:
  explicit Options(const Command& command) : command_(command), left_(command.options) {}

  std::string text(const std::string& name, const std::string& fallback = {}) {
    known_.push_back(name);
    const auto found = left_.find(name);
    if (found == left_.end()) return fallback;
    std::string value = std::move(found->second);
    left_.erase(found);
    return value;
  }

  template <class Value>
  Value choice(const std::string& name, const std::map<std::string, Value>& choices, Value fallback) {
    const std::string word = text(name);
    if (word.empty()) return fallback;
    const auto found = choices.find(word);
    if (found == choices.end()) throw Error(Errc::kFormat, strCat(command_.name, ": ", name, " is \"", quotable(word), "\"; have ", keysOf(choices)));
    return found->second;
  }

  std::optional<double> number(const std::string& name, double low, double high) {
    const std::string word = text(name);
    if (word.empty()) return std::nullopt;
    double value = 0;
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (problem != std::errc() || end != word.data() + word.size() || !(value >= low && value <= high))
      throw Error(Errc::kFormat, strCat(command_.name, ": ", name, " must be a number from ", boundText(low), " to ", boundText(high), "; it is \"", quotable(word), "\""));
    return value;
  }

  void end() const {
    if (!left_.empty()) throw Error(Errc::kFormat, strCat(command_.name, ": option \"", quotable(left_.begin()->first), "\" is not known; have ", listed(known_)));
  }

 private:
  const Command& command_;
  std::map<std::string, std::string> left_;
  std::vector<std::string> known_;
};

const std::map<std::string, bool> kYesNo = {{"yes", true}, {"no", false}};

// The words of a command that name runs, each as the store finds it; none: all of the head.
std::vector<std::string> runsOf(const Command& command, std::size_t from, const Scope& scope) {
  std::vector<std::string> all;
  const auto add = [&](const std::string& word) {
    for (std::string& each : scope.storeWords(word)) all.push_back(std::move(each));
  };
  for (std::size_t i = from; i < command.words.size(); ++i)
    if (command.words[i] != "of") add(command.words[i]);
  if (all.empty())
    for (const NamedRuns& named : scope.document.runs) add(named.name);
  if (all.empty()) throw Error(Errc::kFormat, strCat(command.name, " names no run: name one behind it, or runs in the head"));
  return all;
}

std::string referenceOf(const std::string& word, const std::vector<std::string>& runs, const Scope& scope) {
  if (word.empty()) return "";
  for (const std::string& run : runs)
    if (scope.records.run(run).algorithm == word) return word;
  return scope.records.run(scope.storeWords(word).front()).id;
}

FigureOptions figureOptions(Options& options, const std::vector<std::string>& runs, const Scope& scope) {
  FigureOptions made;
  made.titles = scope.titles;
  made.x = options.choice("x", kAxes, XAxis::kTime);
  const std::string log = options.choice<std::string>("log", {{"x", "x"}, {"y", "y"}, {"xy", "xy"}}, "");
  made.logX = log.find('x') != std::string::npos, made.logY = log.find('y') != std::string::npos;
  made.smoothing = static_cast<int>(options.number("smooth", 1, 100000).value_or(1));
  made.variant = options.choice("style", {{"corrected", Variant::kCorrected}, {"published", Variant::kPublished}}, Variant::kCorrected);
  made.groupSeeds = options.choice("seeds", {{"mean", true}, {"apart", false}}, true);
  made.standaloneAccuracy = options.number("standalone", 0, 1);
  made.reference = referenceOf(options.text("over"), runs, scope);
  return made;
}

std::optional<Budget> budgetOf(Options& options) {
  const std::string cut = options.text("cut");
  return cut.empty() ? std::nullopt : std::optional(budgetFrom(cut));
}

// A figure, or a sentence in its place where it has nothing to draw.
Piece pictureOf(std::shared_ptr<const Figure> figure, std::string caption, bool notes, std::optional<double> height) {
  if (figure->empty()) return {.kind = PieceKind::kParagraph, .words = {{.text = strCat(figure->title, ": nothing to draw, ", whyNothing(*figure), "."), .emphasis = true}}};
  Piece piece{.kind = PieceKind::kPicture, .picture = {.figure = figure, .heightMm = height.value_or(0)}, .caption = caption.empty() ? figure->title : std::move(caption)};
  if (notes) piece.notes = figure->notes;
  return piece;
}

// What a figure depends on beside its command and the records of its runs.
std::string keyOf(const Command& command, const Scope& scope, const std::string& reference = {}) { return strCat(command.text, '\n', scope.document.target, '\n', scope.titles.size(), '\n', reference); }

Piece figurePiece(const Command& command, const Scope& scope) {
  std::string known;
  for (const FigureDef& each : figures()) known += (known.empty() ? "" : ", ") + each.id;
  if (command.words.empty()) throw Error(Errc::kFormat, strCat("figure: which one is missing; have ", known));
  const std::string& word = command.words.front();
  const std::size_t colon = word.find(':');
  const FigureDef* def = findFigure(word.substr(0, colon));
  if (def == nullptr || (colon != std::string::npos && !def->ofMetric)) throw Error(Errc::kFormat, strCat("figure \"", quotable(word), "\" is not known; have ", known));
  const std::vector<std::string> runs = runsOf(command, 1, scope);
  Options options(command);
  FigureOptions how = figureOptions(options, runs, scope);
  if (colon != std::string::npos) how.metric = word.substr(colon + 1);
  const std::optional<Budget> budget = budgetOf(options);
  std::string caption = options.text("caption");
  const bool notes = options.choice("notes", kYesNo, true);
  const std::optional<double> height = options.number("height", 30, 400);
  options.end();
  const auto make = [&] {
    summary::Details details = def->reads(how);
    if (budget) details.add(detailsFor(*budget));
    Summaries summaries = scope.records.summaries(runs, scope.document.target, details);
    std::string cutNote;
    if (budget) {
      Cut cut = cutTo(std::move(summaries), *budget);
      summaries = std::move(cut.runs), cutNote = std::move(cut.note);
    }
    Figure figure = def->build(summaries, how);
    if (!cutNote.empty()) figure.notes.push_back(cutNote);
    return figure;
  };
  return pictureOf(scope.records.figure(keyOf(command, scope, how.reference), runs, make), std::move(caption), notes, height);
}

// The spans between two moments, cut at both.
void cutSpans(Figure& figure, double from, double to) {
  for (SpanSet& set : figure.spans) {
    SpanSet inside = set;
    inside.rows.clear(), inside.begin.clear(), inside.end.clear(), inside.strength.clear();
    for (std::size_t i = 0; i < set.rows.size(); ++i) {
      const double begin = std::max(set.begin[i], from), end = std::min(set.end[i], to);
      if (begin < end || (begin == end && set.begin[i] == set.end[i])) inside.rows.push_back(set.rows[i]), inside.begin.push_back(begin), inside.end.push_back(end), inside.strength.push_back(set.strength[i]);
    }
    set = std::move(inside);
  }
  std::erase_if(figure.spans, [](const SpanSet& set) { return set.rows.empty(); });
  figure.x.min = from, figure.x.max = to;
}

// Of each run a picture; of seeds under one name the first has it.
std::vector<Piece> lanesPieces(const Command& command, const Scope& scope) {
  std::vector<std::string> names;
  for (const std::string& word : command.words)
    if (word != "of" && word != "and") names.push_back(word);
  if (names.empty())
    for (const NamedRuns& named : scope.document.runs) names.push_back(named.name);
  if (names.empty()) throw Error(Errc::kFormat, "lanes names no run: name one behind it, or runs in the head");
  Options options(command);
  const std::optional<double> from = options.number("from", 0, 1e9), to = options.number("to", 0, 1e9);
  std::string caption = options.text("caption");
  const bool notes = options.choice("notes", kYesNo, true);
  const std::optional<double> height = options.number("height", 30, 400);
  options.end();
  if (from && to && *from >= *to) throw Error(Errc::kFormat, strCat("lanes: from must be before to; they are ", boundText(*from), " and ", boundText(*to)));
  std::string word;
  std::size_t seeds = 0;
  const auto make = [&] {
    const store::RunRow& run = scope.records.run(word);
    lanes::StoredLanes stored(scope.records.reader(), run.id);
    const double end = stored.between(0, 0, 1).end;
    const double first = from.value_or(0), last = std::min(to.value_or(end), end);
    const bool any = first < last;
    const lanes::Timeline timeline = any ? lanes::foldedToFit(stored.between(first, last, kLaneRounds)) : lanes::Timeline();
    Figure figure = figureOf(timeline, run.name.empty() ? run.id : run.name);
    if (any) cutSpans(figure, first, last);
    if (figure.empty()) figure.notes.insert(figure.notes.begin(), strCat(kNothingToDraw, end > 0 ? strCat("the run ends at ", boundText(std::round(end * 10) / 10), " s") : std::string("no rounds recorded")));
    if (run.source == "simulated") figure.notes.emplace_back("the run is simulated: times are virtual");
    if (seeds > 1) figure.notes.push_back(strCat("seed ", run.seed, " is drawn, one of ", seeds));
    return figure;
  };
  std::vector<Piece> pieces;
  for (const std::string& name : names) {
    const std::vector<std::string> words = scope.storeWords(name);
    word = words.front(), seeds = words.size();
    pieces.push_back(pictureOf(scope.records.figure(keyOf(command, scope, strCat(word, '\n', seeds)), {word}, make), caption, notes, height));
  }
  return pieces;
}

// A column that says the same of every row, or has nothing in the only one, stands below the table. Where that is all of them, they stay.
void fold(Table& table, const std::vector<bool>& missing, std::vector<std::string>& notes) {
  std::vector<std::size_t> folded;
  for (std::size_t column = 1; column < table.header.size(); ++column) {
    const std::string& first = table.rows.front()[column].text;
    const bool equal = table.rows.size() > 1 ? std::ranges::all_of(table.rows, [&](const auto& row) { return row[column].text == first; }) : missing[column];
    if (equal) folded.push_back(column);
  }
  if (folded.empty() || folded.size() + 1 == table.header.size()) return;
  std::string same;
  for (const std::size_t column : folded) same += strCat(same.empty() ? "" : ", ", table.header[column], table.rows.size() > 1 ? strCat(" ", table.rows.front()[column].text) : "");
  notes.insert(notes.begin(), strCat(table.rows.size() > 1 ? "the same in every row: " : "without a value: ", same));
  for (std::size_t i = folded.size(); i-- > 0;) {
    const auto at = static_cast<std::ptrdiff_t>(folded[i]);
    table.header.erase(table.header.begin() + at), table.right.erase(table.right.begin() + at);
    for (auto& row : table.rows) row.erase(row.begin() + at);
  }
}

// What papers report of these runs, beside what these gave.
Piece publishedPiece(const std::vector<PublishedRow>& rows) {
  Piece piece{.kind = PieceKind::kTable, .caption = "Published values"};
  for (const char* head : kPublishedHeads) piece.table.header.emplace_back(head), piece.table.right.push_back(false);
  PublishedTable numberedRows = numbered(rows);
  for (const std::vector<std::string>& row : numberedRows.rows) {
    auto& cells = piece.table.rows.emplace_back();
    for (const std::string& cell : row) cells.push_back({.text = cell});
  }
  piece.notes = std::move(numberedRows.sources);
  return piece;
}

std::vector<Piece> resultsPieces(const Command& command, const Scope& scope) {
  const std::vector<std::string> runs = runsOf(command, 0, scope);
  Options options(command);
  const std::optional<Budget> budget = budgetOf(options);
  const bool all = options.choice("columns", {{"all", true}, {"different", false}}, false), notes = options.choice("notes", kYesNo, true);
  std::string caption = options.text("caption", "Results");
  options.end();
  Piece piece{.kind = PieceKind::kTable, .caption = std::move(caption)};
  Summaries summaries = scope.records.summaries(runs, scope.document.target, budget ? detailsFor(*budget) : summary::Details());
  std::string cutNote;
  if (budget) {
    Cut cut = cutTo(std::move(summaries), *budget);
    summaries = std::move(cut.runs), cutNote = std::move(cut.note);
  }
  const Results results = tabulate(summaries, scope.titles, budget.has_value());
  Table& table = piece.table;
  table.header = {"Configuration", "Model", "Runs"}, table.right = {false, false, true};
  for (const ResultColumn& column : results.columns) table.header.push_back(column.title), table.right.push_back(true);
  std::vector<bool> missing(table.header.size(), false);
  for (const ResultRow& row : results.rows) {
    auto& cells = table.rows.emplace_back(std::vector<Cell>{{.text = row.label}, {.text = row.model}, {.text = std::to_string(row.runs)}});
    for (const ResultCell& cell : row.cells) missing[cells.size()] = !cell.mean, cells.push_back({.text = cell.text, .bold = cell.best});
  }
  if (notes && !results.note.empty()) piece.notes.push_back(results.note);
  if (notes) piece.notes.insert(piece.notes.end(), results.findings.begin(), results.findings.end());
  if (!cutNote.empty()) piece.notes.insert(piece.notes.begin(), cutNote);
  if (!all) fold(table, missing, piece.notes);
  std::vector<Piece> made;
  made.push_back(std::move(piece));
  if (!results.published.empty()) made.push_back(publishedPiece(results.published));
  return made;
}

Piece differencesPiece(const Command& command, const Scope& scope) {
  std::vector<std::string> names;
  for (const std::string& word : command.words)
    if (word != "of" && word != "and") names.push_back(word);
  if (names.empty())
    for (const NamedRuns& named : scope.document.runs) names.push_back(named.name);
  if (names.size() < 2) throw Error(Errc::kFormat, "differences: two runs at least are compared; name them behind it, or in the head");
  Options options(command);
  std::string caption = options.text("caption", "What differs");
  options.end();
  std::vector<std::string> documents;
  Piece piece{.kind = PieceKind::kTable, .caption = std::move(caption)};
  Table& table = piece.table;
  table.code = true, table.header = {"Setting"}, table.right = {false};
  bool seeds = false;
  for (const std::string& name : names) {
    const std::vector<std::string> words = scope.storeWords(name);
    seeds = seeds || words.size() > 1;
    const store::RunRow& run = scope.records.run(words.front());
    const bool named = std::ranges::find(scope.document.runs, name, &NamedRuns::name) != scope.document.runs.end();
    if (run.specText.empty()) throw Error(Errc::kFormat, strCat("differences: run ", run.name.empty() ? run.id : run.name, " has no document to compare"));
    documents.push_back(run.specText);
    table.header.push_back(named || run.name.empty() ? name : run.name), table.right.push_back(false);
  }
  std::size_t more = 0;
  for (const Difference& difference : differences(documents)) {
    if (difference.pointer == "/name" || (seeds && difference.pointer == "/seed")) continue;
    if (table.rows.size() == kMostDifferences) {
      ++more;
      continue;
    }
    auto& row = table.rows.emplace_back(std::vector<Cell>{{.text = difference.pointer}});
    for (const std::string& value : difference.values) {
      const Json json = jsonOrNull(value);
      row.push_back({.text = value.empty() ? "—" : quotable(json.is_string() ? json.get<std::string>() : value, kValueBytes)});
    }
  }
  if (more > 0) piece.notes.push_back(strCat("and ", more, " more settings"));
  if (table.rows.empty()) return {.kind = PieceKind::kParagraph, .words = {{.text = "The runs differ in no setting.", .emphasis = true}}};
  return piece;
}

}  // namespace

std::vector<std::string> Scope::storeWords(const std::string& word) const {
  const auto named = std::ranges::find(document.runs, word, &NamedRuns::name);
  if (named != document.runs.end()) {
    if (missing.contains(word)) throw KnownProblem(Errc::kStore, strCat("run ", word, " is not in the store"));
    return named->words;
  }
  try {
    records.run(word);
  } catch (const Error& error) {
    std::vector<std::string> names;
    for (const NamedRuns& each : document.runs) names.push_back(each.name);
    if (names.empty()) throw;
    throw Error(error.code(), strCat(error.what(), "; the head names ", listed(names)));
  }
  return {word};
}

std::vector<Piece> piecesOf(const Command& command, const Scope& scope) {
  if (command.name == "figure") return {figurePiece(command, scope)};
  if (command.name == "results") return resultsPieces(command, scope);
  if (command.name == "differences") return {differencesPiece(command, scope)};
  return lanesPieces(command, scope);
}

}  // namespace paceline::report
