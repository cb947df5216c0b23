#include "app/models/experiment/draft_vary.h"

#include <algorithm>
#include <charconv>

#include <QRegularExpression>

#include "app/cluster/recorder/search_story.h"
#include "app/models/experiment/draft_words.h"
#include "app/models/words.h"
#include "engine/core/base/error.h"
#include "engine/core/json/fields.h"
#include "engine/core/spec/run_spec_fields.h"
#include "engine/core/spec/varied_values.h"

namespace paceline::experiment {
namespace {

constexpr const char *kOver = "over", *kSearchWord = "search";

std::string withoutId(const std::string& pointer) { return pointer.substr(0, pointer.size() - std::string_view("/id").size()); }

bool isChoice(const std::string& pointer) { return pointer.ends_with("/id") && std::ranges::count(pointer, '/') == 2; }

std::string idOf(const OrderedJson& value) {
  const OrderedJson& id = value.is_object() && value.contains("id") ? value["id"] : value;
  return id.is_string() ? id.get<std::string>() : id.is_boolean() ? (id.get<bool>() ? "true" : "false") : std::string();
}

OrderedJson documentOf(const RunSpec& spec) {
  std::vector<Finding> none;
  return parseOrderedJson(toJsonText(spec), none).value_or(OrderedJson::object());
}

// What a document of settings or values names it by in "skip".
OrderedJson skipName(const std::string& key, const OrderedJson& entry) { return key.starts_with("/") || !entry.is_object() ? entry : entry.value("name", OrderedJson()); }

void setBase(DraftState& state, const std::string& key, const OrderedJson& value) {
  if (!key.starts_with("/")) return;
  try {
    ParsedSpec parsed = parseRunSpec(withOverride(toJsonText(state.spec), strCat(key, "=", dumped(value))));
    if (!hasErrors(parsed.findings)) state.spec = std::move(parsed.spec);
  } catch (const Error&) {  // a place that the base does not have: the findings of the suite name it
  }
}

OrderedJson choiceOf(const DraftState& state, const Catalog* catalog, const std::string& choice, const std::string& id) {
  const OrderedJson base = documentOf(state.spec);
  if (base.contains(choice.substr(1)) && idOf(base[choice.substr(1)]) == id) return base[choice.substr(1)];
  const auto member = choiceMember(choice);
  const CatalogEntry* next = entryAt(catalog, choice, id);
  if (!member || !next) return {{"id", id}};
  DraftState other = state;
  choose(other, member, choice, entryAt(catalog, choice, (state.spec.*member).id), *next);
  return documentOf(other.spec).value(choice.substr(1), OrderedJson{{"id", id}});
}

// A pointer when these rows of the list are gone; nullopt: it leads into one of them.
std::optional<std::string> keyWithout(const std::string& key, const std::string& list, const std::vector<int>& rows) {
  int row = 0;
  const std::size_t start = list.size() + 1;
  if (!key.starts_with(list + "/") || std::from_chars(key.data() + start, key.data() + key.size(), row).ec != std::errc()) return key;
  if (std::ranges::find(rows, row) != rows.end()) return std::nullopt;
  const auto above = std::ranges::count_if(rows, [row](int gone) { return gone < row; });
  return strCat(list, "/", row - above, key.substr(std::min(key.find('/', start), key.size())));
}

// "5 slowdowns of w3", "2 algorithms", "3 batch sizes"
QString counted(int count, QString name) {
  if (name.size() > 1 && name[1].isLower()) name[0] = name[0].toLower();
  const qsizetype of = name.indexOf(" of ");
  QString noun = of < 0 ? name : name.left(of);
  const QString rest = of < 0 ? QString() : name.mid(of);
  const bool english = !noun.isEmpty() && noun.back().unicode() < 128;  // what takes a plural ending
  if (english && count != 1 && noun.endsWith('y') && noun.size() > 1 && !QString("aeiou").contains(noun[noun.size() - 2])) noun = noun.chopped(1) + "ies";
  else if (english && count != 1 && !noun.endsWith('s')) noun += 's';
  return QObject::tr("%1 %2", "how many values a field takes").arg(count).arg(noun + rest);
}

}  // namespace

std::optional<SearchRange> rangeOf(const DraftState& state, const std::string& pointer) {
  const auto over = state.search.find(kOver);
  if (over == state.search.end() || !over->is_object() || !over->contains(pointer)) return std::nullopt;
  std::vector<Finding> none;
  const Json written = jsonOrNull(dumped((*over)[pointer]));
  Fields fields(written, "", none);
  SearchRange range;
  readObject(fields, range);
  return range;
}

bool isRangeText(const QString& typed) { return typed.trimmed().startsWith(kSearchWord); }

// "search 0.001..1 log"; between whole numbers where one stands, integers.
std::optional<SearchRange> readRange(const QString& typed, const OrderedJson& now) {
  static const QRegularExpression kForm(R"(^search\s+(\S+?)\s*\.\.\s*(\S+)(\s+log)?$)");
  const QRegularExpressionMatch match = kForm.match(typed.trimmed());
  bool from = false, to = false;
  SearchRange range{.from = match.captured(1).toDouble(&from), .to = match.captured(2).toDouble(&to), .scale = match.captured(3).isEmpty() ? SearchScale::kLinear : SearchScale::kLog};
  if (!match.hasMatch() || !from || !to) return std::nullopt;
  range.integer = now.is_number_integer();
  return range;
}

QString rangeText(const SearchRange& range) {
  return QString("%1 %2..%3%4").arg(kSearchWord, qtext(dumped(plainNumber(range.from))), qtext(dumped(plainNumber(range.to))), range.scale == SearchScale::kLog ? " log" : "");
}

void setRange(DraftState& state, const std::string& key, const SearchRange& range) {
  if (state.search.empty()) beginSearch(state);
  state.vary.erase(key);
  state.search[kOver][key] = OrderedJson(written(range));
  state.skip = OrderedJson::array();
}

void beginSearch(DraftState& state) {
  constexpr int kRuns = 20;
  const SearchSpec fresh;
  state.search = {{kOver, OrderedJson::object()}, {"method", OrderedJson(written(fresh.method))}, {"goal", OrderedJson(written(fresh.goal))}, {"budget", {{"runs", kRuns}}}};
  state.skip = OrderedJson::array();
}

void endSearch(DraftState& state) {
  const OrderedJson over = state.search.value(kOver, OrderedJson::object());
  for (const auto& [key, ignored] : over.items())
    if (const auto range = rangeOf(state, key)) {
      const auto end = [&](double value) { return OrderedJson(range->integer ? plainNumber(value) : Json(value)); };
      state.vary[key] = {end(range->from), end(range->to)};
    }
  state.search = OrderedJson::object();
}

// Entries that name what varies no more, or a value that is gone.
void pruneSkipped(DraftState& state) {
  OrderedJson kept = OrderedJson::array();
  for (const OrderedJson& entry : state.skip) {
    const bool holds = entry.is_object() && std::ranges::all_of(entry.items(), [&](const auto& item) {
      const auto list = state.vary.find(item.key());
      return list != state.vary.end() && list->is_array() && std::ranges::any_of(*list, [&](const OrderedJson& value) { return skipName(item.key(), value) == item.value(); });
    });
    if (holds) kept.push_back(entry);
  }
  state.skip = std::move(kept);
}

std::optional<std::string> axisOf(const DraftState& state, const std::string& pointer) {
  if (state.vary.contains(pointer) || rangeOf(state, pointer)) return pointer;
  if (isChoice(pointer) && state.vary.contains(withoutId(pointer))) return withoutId(pointer);
  return std::nullopt;
}

bool varies(const DraftState& state, const std::string& pointer) { return axisOf(state, pointer).has_value(); }

QString axisName(const DraftState& state, const Catalog* catalog, const std::string& key) {
  return key.starts_with("/") ? placeName(key, state.spec, catalog) : qtext(key);
}

QStringList axisValues(const DraftState& state, const Catalog* catalog, const std::string& key) {
  QStringList words;
  const auto list = state.vary.find(key);
  if (list == state.vary.end() || !list->is_array()) return words;
  for (const OrderedJson& value : *list) {
    const QString name = entryName(key, value, state.spec, catalog);
    words << (name.isEmpty() ? QObject::tr("no. %1").arg(words.size() + 1) : name);
  }
  return words;
}

QString axisText(const DraftState& state, const std::string& key) {
  if (const auto range = rangeOf(state, key)) return rangeText(*range);
  const auto list = state.vary.find(key);
  return list == state.vary.end() ? QString() : qtext(variedText(*list));
}

std::vector<std::string> axisIds(const DraftState& state, const std::string& key) {
  std::vector<std::string> ids;
  const auto list = state.vary.find(key);
  if (list != state.vary.end() && list->is_array())
    for (const OrderedJson& value : *list) ids.push_back(idOf(value));
  return ids;
}

void setAxis(DraftState& state, const std::string& key, const std::vector<OrderedJson>& values) {
  if (values.empty()) return;
  if (rangeOf(state, key)) state.search[kOver].erase(key);
  OrderedJson below = OrderedJson::object();  // later lists overwrite earlier ones: a choice stands before its parameters
  if (!state.vary.contains(key))
    for (const auto& [other, list] : state.vary.items())
      if (isAtOrBelow(other, key)) below[other] = list;
  for (const auto& [other, list] : below.items()) state.vary.erase(other);
  state.vary[key] = values;
  for (const auto& [other, list] : below.items()) state.vary[other] = list;
  setBase(state, key, values.front());
  pruneSkipped(state);
}

void setAxisIds(DraftState& state, const Catalog* catalog, const std::string& pointer, const std::vector<std::string>& ids) {
  const auto old = axisOf(state, pointer);
  const std::string key = old ? *old : isChoice(pointer) ? withoutId(pointer) : pointer;
  const OrderedJson now = old ? state.vary[key] : OrderedJson::array();
  const OrderedJson base = valueAt(pointer, state.spec, catalog);
  std::vector<OrderedJson> values;
  for (const std::string& id : ids) {
    const std::size_t before = values.size();
    for (const OrderedJson& value : now)
      if (idOf(value) == id) values.push_back(value);
    if (values.size() > before) continue;
    if (key != pointer) values.push_back(choiceOf(state, catalog, key, id));
    else if (base.is_boolean()) values.emplace_back(id == "true");
    else values.emplace_back(id);
  }
  setAxis(state, key, values);
}

void endAxis(DraftState& state, const std::string& key) {
  if (rangeOf(state, key)) state.search[kOver].erase(key);
  const auto list = state.vary.find(key);
  if (list == state.vary.end()) return;
  const OrderedJson first = list->is_array() && !list->empty() ? list->front() : OrderedJson();
  state.vary.erase(key);
  if (!first.is_null()) setBase(state, key, first);
  pruneSkipped(state);
}

void forgetRows(DraftState& state, const std::string& list, const std::vector<int>& rows) {
  OrderedJson moved = OrderedJson::object();
  std::vector<std::pair<std::string, std::string>> names;
  for (const auto& [key, values] : state.vary.items()) {
    const auto now = keyWithout(key, list, rows);
    if (!now) continue;
    names.emplace_back(key, *now);
    moved[*now] = values;
  }
  state.vary = std::move(moved);
  if (const auto over = state.search.find(kOver); over != state.search.end() && over->is_object()) {
    OrderedJson ranges = OrderedJson::object();
    for (const auto& [key, range] : over->items())
      if (const auto now = keyWithout(key, list, rows)) ranges[*now] = range;
    *over = std::move(ranges);
  }
  for (OrderedJson& entry : state.skip) {
    if (!entry.is_object()) continue;
    OrderedJson renamed = OrderedJson::object();
    for (const auto& [key, value] : entry.items()) {
      const auto name = std::ranges::find(names, key, &std::pair<std::string, std::string>::first);
      renamed[name == names.end() ? key + "\n" : name->second] = value;  // of a row that is gone: no key, so that the entry goes
    }
    entry = std::move(renamed);
  }
  pruneSkipped(state);
}

void leaveOut(DraftState& state, const std::vector<SuiteAxis>& axes, const std::vector<Cell>& cells) {
  state.skip = OrderedJson::array();
  for (const Cell& cell : cells) {
    OrderedJson entry = OrderedJson::object();
    for (std::size_t i = 0; i < axes.size() && i < cell.size(); ++i) entry[axes[i].key] = skipName(axes[i].key, state.vary[axes[i].key][cell[i]]);
    state.skip.push_back(std::move(entry));
  }
}

QString searchSentence(const DraftState& state, const Catalog* catalog, const SearchSpace& space) {
  QStringList over;
  for (const SearchAxis& axis : space.axes()) {
    const QString name = axisName(state, catalog, axis.key);
    over << (axis.range ? name : counted(static_cast<int>(axis.labels.size()), name));
  }
  return QObject::tr("Search over %1: %2").arg(over.join(", "), qtext(recorder::planText(space)));
}

QString suiteSentence(const DraftState& state, const Catalog* catalog, const std::vector<SuiteAxis>& axes, std::size_t runs) {
  if (axes.empty()) return {};
  QStringList factors;
  std::size_t all = 1;
  for (const SuiteAxis& axis : axes) {
    factors << counted(static_cast<int>(axis.labels.size()), axisName(state, catalog, axis.key));
    all *= axis.labels.size();
  }
  const QString made = runs == all ? QObject::tr("%n run(s)", nullptr, static_cast<int>(runs)) : QObject::tr("%1 of %2 runs").arg(runs).arg(all);
  return factors.join(QString(" %1 ").arg(QChar(0xd7))) + " = " + made;
}

}  // namespace paceline::experiment
