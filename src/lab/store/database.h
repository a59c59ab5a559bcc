// SQLite as two small classes: a connection and a prepared statement. Every error is a UserError
// that names the file.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

struct sqlite3;
struct sqlite3_stmt;

namespace heddle::lab {

class Statement;

class Database {
 public:
  enum class Access { read, write };  // write creates the file when it is missing

  Database(const std::string& path, Access access);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  const std::string& path() const { return path_; }
  void execute(const std::string& sql);  // one or several statements without results
  std::int64_t last_row_id() const;
  std::int64_t changes() const;  // rows that the last statement changed
  // Throws the UserError of the connection's last error.
  [[noreturn]] void reject() const;

 private:
  friend class Statement;
  std::string path_;
  sqlite3* connection_ = nullptr;
};

// BEGIN IMMEDIATE; rolled back by the destructor unless committed.
class StoreTransaction {
 public:
  explicit StoreTransaction(Database& database);
  ~StoreTransaction();
  StoreTransaction(const StoreTransaction&) = delete;
  StoreTransaction& operator=(const StoreTransaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

// A prepared statement. Parameters and columns count from 0.
class Statement {
 public:
  Statement(Database& database, std::string_view sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // Binds all parameters in their order, from the start; std::nullopt and nullptr are NULL.
  template <class... Values>
  Statement& bind(const Values&... values) {
    reset();
    int at = 0;
    (bind_at(at++, values), ...);
    return *this;
  }
  bool step();  // true: there is a row
  void run();   // steps to the end

  bool is_null(int column) const;
  bool is_integer(int column) const;
  std::int64_t integer(int column) const;  // 0 for NULL
  double real(int column) const;           // 0 for NULL
  std::string text(int column) const;      // empty for NULL
  std::string column_name(int column) const;
  std::string place(int column) const;  // "store a.sqlite, column arguments", for messages
  int columns() const;

 private:
  friend class RowBinder;
  void reset();
  void bind_null(int at);
  void bind_integer(int at, std::int64_t value);
  void bind_real(int at, double value);
  void bind_text(int at, std::string_view value);
  template <class Value>
  void bind_at(int at, const Value& value) {
    if constexpr (std::is_same_v<Value, std::nullptr_t> || std::is_same_v<Value, std::nullopt_t>)
      bind_null(at);
    else if constexpr (std::integral<Value>)
      bind_integer(at, static_cast<std::int64_t>(value));
    else if constexpr (std::floating_point<Value>)
      bind_real(at, value);
    else if constexpr (requires { value.has_value(); })
      value ? bind_at(at, *value) : bind_null(at);
    else
      bind_text(at, value);
  }

  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
};

}  // namespace heddle::lab
