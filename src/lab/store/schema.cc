#include "lab/store/schema.h"

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "lab/store/clock.h"
#include "lab/store/schema_sql.h"

namespace heddle::lab {
namespace {

constexpr std::int64_t kApplication = 0x48656464;  // "Hedd"

std::int64_t pragma(Database& database, const char* name) {
  Statement statement(database, fmt::format("PRAGMA {}", name));
  return statement.step() ? statement.integer(0) : 0;
}

std::int64_t version_of(Database& database) {
  const std::int64_t version = pragma(database, "user_version");
  if (version > kStoreVersion)
    throw UserError(fmt::format(
        "store {}: its version is {}, this Heddle reads versions up to {}; use the Heddle that "
        "wrote it, or a newer one",
        database.path(), version, kStoreVersion));
  return version;
}

[[noreturn]] void reject_foreign(const Database& database) {
  throw UserError("store " + database.path() +
                  ": it is an SQLite file, but no results store of Heddle");
}

bool is_empty(Database& database) {
  Statement tables(database, "SELECT COUNT(*) FROM sqlite_schema");
  tables.step();
  return tables.integer(0) == 0;
}

// Steps from one version to the next: step i leads to version i + 1. A published step never
// changes.
constexpr const char* kSteps[] = {kSchemaSql};
static_assert(std::size(kSteps) == kStoreVersion);

}  // namespace

void prepare_schema(Database& database) {
  std::int64_t version = version_of(database);
  if (version == kStoreVersion) return check_schema(database);
  Transaction transaction(database);
  version = version_of(database);  // another process may have been faster
  if (version == 0 && !is_empty(database)) reject_foreign(database);
  for (; version < kStoreVersion; ++version) database.execute(kSteps[version]);
  Statement(database, "INSERT OR IGNORE INTO meta VALUES('created', ?), ('heddle', ?)")
      .bind(utc_now(), HEDDLE_VERSION)
      .run();
  database.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplication,
                               kStoreVersion));
  transaction.commit();
}

void check_schema(Database& database) {
  if (version_of(database) == 0 || pragma(database, "application_id") != kApplication)
    reject_foreign(database);
}

}  // namespace heddle::lab
