// Fuzz target of results stores: values of another type, numbers out of every range, damaged JSON,
// other views, triggers, missing tables, and damaged pages of the file.
#include <sqlite3.h>

#include <fstream>

#include <fmt/format.h>

#include "base/source_files.h"
#include "base/temporary_folder.h"
#include "lab/store/results_store.h"
#include "lab/store/schema.h"
#include "lab/store/store_comparison.h"
#include "lab/sweep/slurm_executor.h"
#include "report/store_report.h"
#include "report/study_page.h"
#include "tests/fuzz/target.h"

namespace heddle::fuzz {
namespace {

// No file beside the store, and no waits for the disk.
constexpr const char* kInMemory = "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF";

std::string new_store() {
  const TemporaryFolder folder;
  const std::string path = folder.file("new.sqlite");
  {
    lab::Database database(path, lab::Database::Access::write);
    database.execute("PRAGMA page_size = 512");  // so that damage meets contents
    database.execute(kInMemory);
    lab::prepare_schema(database);
    database.execute(corpus("stores").front());
    lab::Statement(database, "INSERT INTO documents VALUES(1, 1, 'run.json', ?)")
        .bind(corpus("results").front())
        .run();
  }
  return content_of_file(path);
}

struct Column {
  std::string table, name;
};

// The connection of a mutation. What SQLite refuses is no mutation.
class Connection {
 public:
  explicit Connection(const std::string& path) { ::sqlite3_open(path.c_str(), &connection_); }
  ~Connection() { ::sqlite3_close(connection_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void execute(const std::string& sql) {
    ::sqlite3_exec(connection_, sql.c_str(), nullptr, nullptr, nullptr);
  }
  std::vector<std::vector<std::string>> rows(const std::string& sql) {
    std::vector<std::vector<std::string>> all;
    ::sqlite3_exec(
        connection_, sql.c_str(),
        [](void* to, int columns, char** values, char**) {
          std::vector<std::string> row;
          for (int i = 0; i < columns; ++i) row.emplace_back(values[i] ? values[i] : "");
          static_cast<std::vector<std::vector<std::string>>*>(to)->push_back(std::move(row));
          return 0;
        },
        &all, nullptr);
    return all;
  }

 private:
  sqlite3* connection_ = nullptr;
};

std::string literal(Random& random) {
  switch (random.below(10)) {
    case 0: return "NULL";
    case 1: return fmt::format("{}", odd_number(random) >> 1);
    case 2: return fmt::format("-{}", odd_number(random) >> 1);
    case 3: return "1e999";
    case 4: return fmt::format("{}.5", random.below(1000));
    case 5: return "x'fffe00808182'";
    case 6: return "'[]'";
    case 7: return "'{\"a\":[1,{\"b\":null}],\"sm.l1d.ways\":8}'";
    case 8: return "''";
    default: return "'" + std::string(random.below(40), '[') + "'";
  }
}

class Stores final : public PlainTarget {
 public:
  Stores() : PlainTarget({new_store()}) {
    const TemporaryFolder folder;
    const std::string path = folder.file("columns.sqlite");
    std::ofstream(path, std::ios::binary) << input(0);
    Connection connection(path);
    for (const auto& row : connection.rows(
             "SELECT s.name, c.name FROM sqlite_schema s JOIN pragma_table_info(s.name) c "
             "WHERE s.type = 'table' ORDER BY 1, 2"))
      columns_.push_back({row[0], row[1]});
  }
  std::string name() const override { return "stores"; }
  std::string meaning() const override { return "results stores of heddle sweep"; }
  std::string file_name() const override { return "input.sqlite"; }

  std::string damaged(Random& random) const override {
    std::string bytes = random.of(all());
    if (random.one_in(3)) {
      for (std::size_t n = random.below(8) + 1; n > 0; --n) damage_bytes(bytes, random);
      return bytes;
    }
    const TemporaryFolder folder;
    const std::string path = folder.file("damaged.sqlite");
    std::ofstream(path, std::ios::binary) << bytes;
    {
      Connection connection(path);
      connection.execute(kInMemory);
      connection.execute("PRAGMA ignore_check_constraints = 1");
      for (std::size_t n = random.below(4) + 1; n > 0; --n)
        connection.execute(statement(connection, random));
    }
    return content_of_file(path);
  }

  void read(const std::string& path) const override {
    const lab::ResultsStore store(path);
    report::store_summary(store);
    report::run_table(store, {}, {"ipc", "cycles"}, 40);
    report::write_run_csv(store, {}, {}, [](const std::string&) {});
    for (const lab::StoredStudy& study : store.studies()) {
      store.expectations(study.id);
      report::page_of_study(store, study.name, {}, std::make_shared<SourceFiles>());
    }
    store.for_each_run({}, [&](const lab::StoredRun& run) {
      for (const lab::StoredKernel& kernel : store.kernels(run.id)) store.kernel_values(kernel.id);
      store.configuration(run.identity.configuration_hash);
    });
    lab::compare_stores({path, {}}, {path, {}});
    report::sweep_status_text(lab::read_sweep_status(path));
  }

 private:
  std::string statement(Connection& connection, Random& random) const {
    const Column& column = random.of(columns_);
    switch (random.below(12)) {
      case 0: return fmt::format("DELETE FROM {}", column.table);
      case 1: return fmt::format("DROP TABLE {}", column.table);
      case 2: return "DROP VIEW study_runs";
      case 3:
        return "DROP VIEW run_statistics; CREATE VIEW run_statistics AS WITH RECURSIVE n(x) AS "
               "(SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS run_id, 'a' AS statistic, "
               "'b' AS unit, x AS value FROM n";
      case 4: return fmt::format("PRAGMA user_version = {}", odd_number(random) >> 33);
      case 5: {  // of JSON and other texts
        const auto rows =
            connection.rows(fmt::format("SELECT {} FROM {}", column.name, column.table));
        if (rows.empty()) return "";
        std::string text = random.of(rows).front();
        damage_text(text, {text}, random);
        std::string quoted;
        for (const char c : text) quoted += c == '\'' ? std::string("''") : std::string(1, c);
        return fmt::format("UPDATE {} SET {} = '{}'", column.table, column.name, quoted);
      }
      default:
        return fmt::format("UPDATE OR IGNORE {} SET {} = {}{}", column.table, column.name,
                           literal(random), random.one_in(2) ? "" : " WHERE rowid % 2 = 0");
    }
  }

  std::vector<Column> columns_;
};

}  // namespace

std::unique_ptr<Target> stores() { return std::make_unique<Stores>(); }

}  // namespace heddle::fuzz
