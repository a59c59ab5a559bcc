#include "lab/store/store_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/diagnostics.h"
#include "lab/store/database.h"
#include "lab/store/schema.h"

namespace heddle::lab {
namespace {

constexpr const char* kRequest =
    "program, arguments, gpu, overrides, scheduler, cta_scheduler, share, seed, limit_cycles";

double relative(double before, double after) {
  const double larger = std::max(std::abs(before), std::abs(after));
  return larger > 0 ? std::abs(after - before) / larger : 0;
}

// The runs of a side as a temporary table, with one row per request.
void select_runs(Database& database, const std::string& name, const std::string& schema,
                 const std::string& version) {
  Statement(database,
            fmt::format("CREATE TEMP TABLE {0} AS SELECT {1}, MAX(id) AS id FROM {2}.runs "
                        "WHERE ?1 = '' OR version = ?1 OR simulator_hash GLOB ?1 || '*' "
                        "GROUP BY {1}",
                        name, kRequest, schema))
      .bind(version)
      .run();
  database.execute(fmt::format("CREATE INDEX temp.{0}_requests ON {0}({1})", name, kRequest));
  Statement count(database, fmt::format("SELECT COUNT(*) FROM {}", name));
  count.step();
  if (count.integer(0) == 0)
    throw UserError(fmt::format("store {}: there is no run{}", database.path(),
                                version.empty() ? "" : " of version " + version));
}

std::size_t count_of(Database& database, const std::string& from) {
  Statement count(database, "SELECT COUNT(*) FROM " + from);
  count.step();
  return static_cast<std::size_t>(count.integer(0));
}

}  // namespace

StoreComparison compare_stores(const StoreSide& before, const StoreSide& after) {
  {
    Database other(after.store, Database::Access::read);
    check_schema(other);
  }
  Database database(before.store, Database::Access::read);
  check_schema(database);
  Statement(database, "ATTACH ? AS other").bind(after.store).run();
  select_runs(database, "before_runs", "main", before.version);
  select_runs(database, "after_runs", "other", after.version);
  const std::string joined = fmt::format("before_runs JOIN after_runs USING({})", kRequest);
  database.execute(fmt::format(
      "CREATE TEMP TABLE pairs AS SELECT before_runs.id AS a, after_runs.id AS b FROM {}", joined));
  StoreComparison result;
  result.pairs = count_of(database, "pairs");
  result.only_before = count_of(database, "before_runs") - result.pairs;
  result.only_after = count_of(database, "after_runs") - result.pairs;

  Statement runs(database,
                 "SELECT p.a, p.b, x.program, x.arguments, x.gpu, x.overrides, x.scheduler, "
                 "x.cta_scheduler, x.share, x.status, y.status, x.cycles, y.cycles FROM pairs p "
                 "JOIN main.runs x ON x.id = p.a JOIN other.runs y ON y.id = p.b");
  // Values of either side; a value that only one side has differs.
  Statement values(
      database,
      "SELECT s.name, v.value, (SELECT w.value FROM other.run_values w JOIN other.statistics t "
      "ON t.id = w.statistic_id WHERE w.run_id = ?2 AND t.name = s.name) AS now "
      "FROM main.run_values v JOIN main.statistics s ON s.id = v.statistic_id "
      "WHERE v.run_id = ?1 AND now IS NOT v.value "
      "UNION ALL SELECT t.name, NULL, w.value FROM other.run_values w JOIN other.statistics t "
      "ON t.id = w.statistic_id WHERE w.run_id = ?2 AND NOT EXISTS (SELECT 1 FROM main.run_values "
      "v JOIN main.statistics s ON s.id = v.statistic_id WHERE v.run_id = ?1 AND s.name = t.name)");
  while (runs.step()) {
    RunDifference one{runs.text(2),
                      runs.text(3),
                      runs.text(4),
                      runs.text(5),
                      runs.text(6),
                      runs.text(7),
                      runs.text(8),
                      runs.text(9),
                      runs.text(10),
                      runs.integer(11),
                      runs.integer(12),
                      0,
                      {},
                      0,
                      0};
    values.bind(runs.integer(0), runs.integer(1));
    while (values.step()) {
      const double was = values.real(1), is = values.real(2);
      if (one.statistics++ == 0 || relative(was, is) > relative(one.before, one.after)) {
        one.statistic = values.text(0);
        one.before = was;
        one.after = is;
      }
    }
    if (one.statistics == 0 && one.before_status == one.after_status)
      ++result.equal;
    else
      result.differences.push_back(std::move(one));
  }
  const auto change = [](const RunDifference& one) {
    return relative(static_cast<double>(one.before_cycles), static_cast<double>(one.after_cycles));
  };
  std::stable_sort(result.differences.begin(), result.differences.end(),
                   [&](const auto& a, const auto& b) { return change(a) > change(b); });
  return result;
}

}  // namespace heddle::lab
