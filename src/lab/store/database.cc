#include "lab/store/database.h"

#include <sqlite3.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/diagnostics.h"
#include "base/text_bytes.h"

namespace heddle::lab {
namespace {

// A reader waits this long for a writer, and a writer for another process's transaction.
constexpr int kBusyMilliseconds = 60'000;

constexpr const char* kFull =
    "the disk is full; free some space and repeat the command, finished runs are kept";

// SQLite reports a full disk as an input/output error where it extends the index of its log.
std::string reason_of_io_error(int code, int system_error, const std::string& message) {
  if (system_error == ENOSPC || system_error == EDQUOT || code == SQLITE_IOERR_SHMSIZE)
    return kFull;
  return system_error ? message + ": " + std::strerror(system_error) : message;
}

std::string reason(sqlite3* connection, int code) {
  const std::string message = sqlite3_errmsg(connection);
  switch (code & 0xff) {
    case SQLITE_FULL: return kFull;
    case SQLITE_IOERR: return reason_of_io_error(code, sqlite3_system_errno(connection), message);
    case SQLITE_READONLY: return "the file or its folder is read-only";
    case SQLITE_BUSY: return "another process has locked it";
    case SQLITE_NOTADB: return "it is not an SQLite file";
    case SQLITE_CORRUPT: return "the file is damaged (" + message + ")";
    default: return message;
  }
}

}  // namespace

Database::Database(const std::string& path, Access access) : path_(path) {
  const bool reads = access == Access::read;
  if (reads && !std::filesystem::is_regular_file(path))
    throw UserError("store " + path + ": there is no such file");
  if (std::filesystem::is_directory(path))
    throw UserError("store " + path + ": it is a folder; a store is one file");
  // A reader of a WAL file may have to create its index, so it opens for writing if it can.
  int code = sqlite3_open_v2(path.c_str(), &connection_,
                             SQLITE_OPEN_READWRITE | (reads ? 0 : SQLITE_OPEN_CREATE), nullptr);
  if (code == SQLITE_CANTOPEN && !reads) {
    sqlite3_close(connection_);
    throw UserError("store " + path + ": it cannot be created; its folder is missing or read-only");
  }
  if (code != SQLITE_OK) {
    const std::string why = reason(connection_, code);
    sqlite3_close(connection_);
    throw UserError("store " + path + ": " + why);
  }
  if (!reads && sqlite3_db_readonly(connection_, "main") == 1) {
    const std::string why = reason(connection_, SQLITE_READONLY);
    sqlite3_close(connection_);
    throw UserError("store " + path + ": " + why);
  }
  // A store may be anybody's: what its schema says is not trusted, and its internals stay closed.
  sqlite3_db_config(connection_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(connection_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_extended_result_codes(connection_, 1);
  sqlite3_busy_timeout(connection_, kBusyMilliseconds);
}

Database::~Database() { sqlite3_close(connection_); }

void Database::reject() const {
  throw UserError("store " + path_ + ": " +
                  reason(connection_, sqlite3_extended_errcode(connection_)));
}

void Database::execute(const std::string& sql) {
  if (sqlite3_exec(connection_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) reject();
}

std::int64_t Database::last_row_id() const { return sqlite3_last_insert_rowid(connection_); }
std::int64_t Database::changes() const { return sqlite3_changes64(connection_); }

StoreTransaction::StoreTransaction(Database& database) : database_(database) {
  database_.execute("BEGIN IMMEDIATE");
}

StoreTransaction::~StoreTransaction() {
  if (!open_) return;
  try {
    database_.execute("ROLLBACK");
  } catch (const UserError&) {
    // SQLite has rolled back already, after a full disk for example.
  }
}

void StoreTransaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

Statement::Statement(Database& database, std::string_view sql) : database_(database) {
  if (sqlite3_prepare_v2(database.connection_, sql.data(), static_cast<int>(sql.size()),
                         &statement_, nullptr) != SQLITE_OK)
    database_.reject();
}

Statement::~Statement() { sqlite3_finalize(statement_); }

void Statement::reset() {
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

bool Statement::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) {
    const std::string why = reason(database_.connection_, code);
    sqlite3_reset(statement_);
    throw UserError("store " + database_.path_ + ": " + why);
  }
  sqlite3_reset(statement_);
  return false;
}

void Statement::run() {
  while (step()) {}
}

void Statement::bind_null(int at) { sqlite3_bind_null(statement_, at + 1); }
void Statement::bind_integer(int at, std::int64_t value) {
  sqlite3_bind_int64(statement_, at + 1, value);
}
void Statement::bind_real(int at, double value) { sqlite3_bind_double(statement_, at + 1, value); }
void Statement::bind_text(int at, std::string_view value) {
  const std::string text = encode_bytes(value);  // SQLite's texts are UTF-8
  sqlite3_bind_text64(statement_, at + 1, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}
bool Statement::is_integer(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_INTEGER;
}
std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}
double Statement::real(int column) const { return sqlite3_column_double(statement_, column); }
std::string Statement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  if (!text) return {};
  return decode_bytes({text, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))});
}
std::string Statement::column_name(int column) const {
  return sqlite3_column_name(statement_, column);
}
std::string Statement::place(int column) const {
  return "store " + database_.path() + ", column " + column_name(column);
}
int Statement::columns() const { return sqlite3_column_count(statement_); }

}  // namespace heddle::lab
