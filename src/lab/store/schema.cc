#include "lab/store/schema.h"

#include <fmt/format.h>

#include <map>

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

std::int64_t version_of(Database& database, SchemaSteps steps) {
  const std::int64_t version = pragma(database, "user_version");
  if (version > std::ssize(steps))
    throw UserError(fmt::format(
        "store {}: its version is {}, this Heddle reads versions up to {}; use the Heddle that "
        "wrote it, or a newer one",
        database.path(), version, steps.size()));
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

// The definitions of tables, indexes and views by name. SQLite's own are left out.
std::map<std::string, std::string> definitions_of(Database& database) {
  std::map<std::string, std::string> definitions;
  Statement rows(database,
                 "SELECT type || ' ' || name, sql FROM sqlite_schema WHERE name NOT LIKE "
                 "'sqlite\\_%' ESCAPE '\\'");
  while (rows.step()) definitions[rows.text(0)] = rows.text(1);
  return definitions;
}

// A view or trigger of somebody else would run in every query.
void require_own_definitions(Database& database, SchemaSteps steps) {
  Database own(":memory:", Database::Access::write);
  for (const char* const step : steps) own.execute(step);
  const auto expected = definitions_of(own), found = definitions_of(database);
  for (const auto& [name, definition] : expected)
    if (const auto same = found.find(name); same == found.end() || same->second != definition)
      throw UserError("store " + database.path() + ": its " + name +
                      (same == found.end() ? " is missing" : " is not that of Heddle"));
  for (const auto& [name, definition] : found)
    if (!expected.contains(name))
      throw UserError("store " + database.path() + ": its " + name + " is not one of Heddle's");
}

constexpr const char* kSteps[] = {kSchemaSql, kSchema2Sql, kSchema3Sql};
static_assert(std::size(kSteps) == kStoreVersion);

}  // namespace

SchemaSteps schema_steps() { return kSteps; }

void prepare_schema(Database& database, SchemaSteps steps) {
  const std::int64_t last = std::ssize(steps);
  if (version_of(database, steps) == last) return check_schema(database, steps);
  StoreTransaction transaction(database);
  std::int64_t version = version_of(database, steps);  // another process may have been faster
  if (version == 0 ? !is_empty(database) : pragma(database, "application_id") != kApplication)
    reject_foreign(database);
  if (version > 0)
    require_own_definitions(database, steps.first(static_cast<std::size_t>(version)));
  for (; version < last; ++version) database.execute(steps[static_cast<std::size_t>(version)]);
  Statement(database, "INSERT OR IGNORE INTO meta VALUES('created', ?), ('heddle', ?)")
      .bind(utc_now(), HEDDLE_VERSION)
      .run();
  database.execute(
      fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplication, last));
  transaction.commit();
}

void check_schema(Database& database, SchemaSteps steps) {
  const std::int64_t version = version_of(database, steps);
  if (version == 0 || pragma(database, "application_id") != kApplication) reject_foreign(database);
  if (version < std::ssize(steps))
    throw UserError(fmt::format(
        "store {}: its version is {}, this Heddle reads version {}; repeat its sweep, which brings "
        "it to version {} and keeps its runs",
        database.path(), version, steps.size(), steps.size()));
  require_own_definitions(database, steps);
}

}  // namespace heddle::lab
