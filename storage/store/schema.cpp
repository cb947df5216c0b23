#include "storage/store/schema.h"

#include "engine/core/base/error.h"
#include "storage/store/store.h"

namespace paceline::store {
namespace {

constexpr std::int64_t kApplicationId = 1348684910;  // as in 001_initial.sql

// One statement, so that a writer who is just making the file is seen before or after, never between.
constexpr const char* kWhatIsIt = R"(
SELECT user_version, application_id, (SELECT count(*) FROM sqlite_schema) FROM pragma_user_version, pragma_application_id
)";

}  // namespace

int latestVersion() { return static_cast<int>(migrations().size()); }
int storeVersion() { return latestVersion(); }

int checkedVersion(Database& database) {
  Statement query = database.statement(kWhatIsIt);
  query.step();
  const auto version = query.next<std::int64_t>(), application = query.next<std::int64_t>(), objects = query.next<std::int64_t>();
  if (version == 0 && application == 0 && objects == 0) return 0;
  if (application != kApplicationId)
    throw Error(Errc::kFormat,
                strCat(database.path(), ": is a database of another program, not a Paceline store; nothing was changed"));
  if (version > latestVersion())
    throw Error(Errc::kFormat, strCat(database.path(), ": made by a newer Paceline (schema ", version, ", this one knows ",
                                      latestVersion(), "); nothing was changed"));
  return static_cast<int>(version);
}

// All in one transaction: who reads a store that is just being made sees none or the newest, never one of an older version.
void migrate(Database& database, int version) {
  const int before = checkedVersion(database);
  if (before >= version) return;
  try {
    database.execute("BEGIN IMMEDIATE");
    for (int at = before; at < version; ++at) database.execute(migrations()[static_cast<std::size_t>(at)].sql);
    database.execute(strCat("PRAGMA user_version = ", version));
    database.execute("COMMIT");
  } catch (const Error&) {
    if (database.inTransaction()) database.execute("ROLLBACK");
    throw;
  }
}

}  // namespace paceline::store
