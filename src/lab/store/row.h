// Rows of a table by the names of its columns. A struct lists them once:
//
//   template <class Self, class Archive>
//   static void columns(Self& self, Archive& archive) {
//     archive("key", self.key)("problem", or_null(self.problem));
//   }
//
// Lists of texts are JSON; an enumeration is its name.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "lab/store/database.h"

namespace heddle::lab {

std::string texts_to_json(const std::vector<std::string>& texts);
// Throws UserError, with the place, for another text than that of texts_to_json.
std::vector<std::string> texts_from_json(const Statement& row, int column);
// Throws UserError, with the place: the text is none of an enumeration.
[[noreturn]] void reject_name(const Statement& row, int column);

// NULL stands for an empty text or zero.
template <class Value>
struct OrNull {
  Value& value;
};
template <class Value>
OrNull<Value> or_null(Value& value) {
  return {value};
}

// The columns of a struct, in its order.
template <class Row>
class ColumnNames {
 public:
  ColumnNames() {
    Row row;
    Row::columns(row, *this);
  }
  template <class Value>
  ColumnNames& operator()(const char* column, const Value&) {
    names_.emplace_back(column);
    return *this;
  }

  std::string list() const { return fmt::format("{}", fmt::join(names_, ", ")); }
  // With a parameter for each column.
  std::string insert_into(const std::string& table) const {
    const std::vector<std::string> values(names_.size(), "?");
    return fmt::format("INSERT INTO {}({}) VALUES({})", table, list(), fmt::join(values, ", "));
  }

 private:
  std::vector<std::string> names_;
};

// Binds a row to the parameters of insert_into().
class RowBinder {
 public:
  template <class Row>
  static Statement& bind(Statement& statement, const Row& row) {
    statement.reset();
    RowBinder binder(statement);
    Row::columns(row, binder);
    return statement;
  }

  template <class Value>
  RowBinder& operator()(const char*, const Value& value) {
    if constexpr (std::is_same_v<Value, std::vector<std::string>>)
      statement_.bind_at(at_++, texts_to_json(value));
    else if constexpr (std::is_enum_v<Value>)
      statement_.bind_at(at_++, to_string(value));
    else
      statement_.bind_at(at_++, value);
    return *this;
  }
  template <class Value>
  RowBinder& operator()(const char* column, const OrNull<Value>& one) {
    return one.value == Value() ? (*this)(column, nullptr) : (*this)(column, one.value);
  }

 private:
  explicit RowBinder(Statement& statement) : statement_(statement) {}
  Statement& statement_;
  int at_ = 0;
};

// Reads a row of "SELECT id, list()".
class RowReader {
 public:
  template <class Row>
  static Row read(const Statement& statement) {
    Row row;
    row.id = statement.integer(0);
    RowReader reader(statement);
    Row::columns(row, reader);
    return row;
  }

  template <class Value>
  RowReader& operator()(const char*, Value& value) {
    read_at(at_++, value);
    return *this;
  }
  template <class Value>
  RowReader& operator()(const char* column, const OrNull<Value>& one) {
    return (*this)(column, one.value);
  }

 private:
  explicit RowReader(const Statement& statement) : statement_(statement) {}

  template <class Value>
  void read_at(int at, Value& value) {
    if constexpr (std::is_same_v<Value, std::vector<std::string>>)
      value = texts_from_json(statement_, at);
    else if constexpr (std::is_same_v<Value, std::string>)
      value = statement_.text(at);
    else if constexpr (std::is_floating_point_v<Value>)
      value = statement_.real(at);
    else if constexpr (std::is_enum_v<Value>)
      read_name(at, value);
    else if constexpr (std::is_integral_v<Value>)
      value = static_cast<Value>(statement_.integer(at));
    else if (!statement_.is_null(at))
      read_at(at, value.emplace());
  }

  template <class Enum>
  void read_name(int at, Enum& value) {
    if (!from_string(statement_.text(at), value)) reject_name(statement_, at);
  }

  const Statement& statement_;
  int at_ = 1;
};

}  // namespace heddle::lab
