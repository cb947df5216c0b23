#include "storage/store/kept_rows.h"

#include <bit>
#include <cstring>

#include "engine/core/base/error.h"
#include "storage/store/rows.h"

namespace paceline::store {
namespace {

constexpr const char* kHasSummary = "SELECT 1 FROM summary WHERE run = ?1";
constexpr const char* kInsertSummary = "INSERT INTO summary(run, formulas, numbers) VALUES(?1, ?2, ?3)";
constexpr const char* kInsertColumn = "INSERT INTO summary_column(summary, name, cells) VALUES(?1, ?2, ?3)";
constexpr const char* kDeleteColumns = "DELETE FROM summary_column WHERE summary = (SELECT key FROM summary WHERE run = ?1)";
constexpr const char* kDeleteSummary = "DELETE FROM summary WHERE run = ?1";
constexpr const char* kVersionsOf = "SELECT versions FROM run WHERE key = ?1";
constexpr const char* kSelectUnsummarised = R"(
SELECT id, state FROM run r WHERE NOT EXISTS (SELECT 1 FROM summary s WHERE s.run = r.key AND s.formulas = ?1) ORDER BY key
)";
constexpr const char* kSelectSummary = "SELECT s.key, s.numbers FROM run r JOIN summary s ON s.run = r.key WHERE r.id = ?1 AND s.formulas = ?2";
constexpr const char* kSelectColumn = "SELECT cells FROM summary_column WHERE summary = ?1 AND name = ?2";

static_assert(std::endian::native == std::endian::little, "cells are stored as they lie in memory");

using Cells = std::vector<std::int64_t>;

std::int64_t step(std::int64_t from, std::int64_t to) { return std::bit_cast<std::int64_t>(std::bit_cast<std::uint64_t>(to) - std::bit_cast<std::uint64_t>(from)); }
std::int64_t after(std::int64_t cell, std::int64_t step) { return std::bit_cast<std::int64_t>(std::bit_cast<std::uint64_t>(cell) + std::bit_cast<std::uint64_t>(step)); }

// Numbers of rounds, and whatever stays the same: two values stand for all.
Cells packed(const Cells& cells) {
  if (cells.size() <= 2) return cells;
  const std::int64_t first = step(cells[0], cells[1]);
  for (std::size_t i = 2; i < cells.size(); ++i)
    if (step(cells[i - 1], cells[i]) != first) return cells;
  return {cells[0], first};
}

std::optional<Cells> unpacked(std::span<const std::byte> bytes, std::size_t size) {
  const bool whole = bytes.size() == size * sizeof(std::int64_t);
  if (!whole && (size <= 2 || bytes.size() != 2 * sizeof(std::int64_t))) return std::nullopt;
  Cells cells(whole ? size : 2);
  if (!bytes.empty()) std::memcpy(cells.data(), bytes.data(), bytes.size());
  if (whole) return cells;
  const std::int64_t by = cells[1];
  cells.resize(size);
  for (std::size_t i = 1; i < size; ++i) cells[i] = after(cells[i - 1], by);
  return cells;
}

}  // namespace

bool hasSummary(Database& database, std::int64_t runKey) {
  Statement query = database.statement(kHasSummary);
  return query.bind(runKey).step();
}

void insertSummary(Database& database, std::int64_t runKey, const SummaryToKeep& summary) {
  deleteSummary(database, runKey);
  database.statement(kInsertSummary).bind(runKey, summary.formulas, std::as_bytes(std::span(summary.numbers))).run();
  const std::int64_t key = database.number("SELECT last_insert_rowid()");
  for (const auto& [name, cells] : summary.columns) {
    const Cells stored = packed(cells);
    database.statement(kInsertColumn).bind(key, name, std::as_bytes(std::span(stored))).run();
  }
}

void deleteSummary(Database& database, std::int64_t runKey) {
  for (const char* sql : {kDeleteColumns, kDeleteSummary}) database.statement(sql).bind(runKey).run();
}

std::string recordedOf(Database& database, const std::string& run) {
  const std::optional<std::int64_t> key = runKeyOf(database, run);
  if (!key) return "no run";
  std::string text;
  for (std::size_t table = 0; table < kRecordTables; ++table) text += strCat(largestKey(database, table, *key), " ");
  Statement query = database.statement(kVersionsOf);
  query.bind(*key).step();
  return text + query.next<std::string>();
}

std::vector<std::string> selectUnsummarised(Database& database, std::int64_t formulas) {
  std::vector<std::string> runs;
  Statement query = database.statement(kSelectUnsummarised);
  query.bind(formulas);
  while (query.step()) {
    std::string id = query.next<std::string>();
    if (isEnded(query.next<RunState>())) runs.push_back(std::move(id));
  }
  return runs;
}

std::optional<KeptSummary> selectSummary(Database& database, const std::string& run, std::int64_t formulas) {
  Statement query = database.statement(kSelectSummary);
  if (!query.bind(run, formulas).step()) return std::nullopt;
  KeptSummary summary;
  query.read(summary.key);
  const std::span<const std::byte> numbers = query.nextBytes();
  summary.numbers.assign(reinterpret_cast<const char*>(numbers.data()), numbers.size());
  return summary;
}

std::optional<std::vector<std::int64_t>> selectColumn(Database& database, std::int64_t summary, const std::string& name, std::size_t size) {
  Statement query = database.statement(kSelectColumn);
  if (!query.bind(summary, name).step()) return std::nullopt;
  return unpacked(query.nextBytes(), size);
}

}  // namespace paceline::store
