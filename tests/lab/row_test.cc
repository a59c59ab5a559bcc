#include "lab/store/row.h"

#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "tests/error_message.h"

namespace heddle::lab {
namespace {

enum class Colour { red, blue };
std::string to_string(Colour colour) { return colour == Colour::red ? "red" : "blue"; }
bool from_string(const std::string& name, Colour& colour) {
  colour = name == "red" ? Colour::red : Colour::blue;
  return name == to_string(colour);
}

struct Row {
  std::int64_t id = 0;
  std::uint32_t number = 0;
  double real = 0;
  std::string text, problem;
  std::vector<std::string> list;
  std::optional<std::uint64_t> start;
  Colour colour = Colour::red;

  template <class Self, class Archive>
  static void columns(Self& self, Archive& archive) {
    archive("number", self.number)("real", self.real)("text", self.text);
    archive("problem", or_null(self.problem))("list", self.list);
    archive("start", self.start)("colour", self.colour);
  }
};

class RowTest : public ::testing::Test {
 protected:
  // The columns of the table have another order than those of the row.
  RowTest() {
    database_.execute(
        "CREATE TABLE t(id INTEGER PRIMARY KEY, colour, start, list, problem, text, real, number)");
  }
  void put(const Row& row) {
    Statement insert(database_, ColumnNames<Row>().insert_into("t"));
    RowBinder::bind(insert, row).run();
  }
  Row get() {
    Statement select(database_, "SELECT id, " + ColumnNames<Row>().list() + " FROM t");
    EXPECT_TRUE(select.step());
    return RowReader::read<Row>(select);
  }
  Database database_{":memory:", Database::Access::write};
};

TEST_F(RowTest, SurvivesTheTableWhateverTheOrderOfItsColumns) {
  put({0, 7, 1.5, "a", "b", {"x", "y z"}, 0, Colour::blue});
  const Row row = get();
  EXPECT_EQ(row.id, 1);
  EXPECT_EQ(row.number, 7u);
  EXPECT_EQ(row.real, 1.5);
  EXPECT_EQ(row.text, "a");
  EXPECT_EQ(row.problem, "b");
  EXPECT_EQ(row.list, (std::vector<std::string>{"x", "y z"}));
  EXPECT_EQ(row.start, 0u);
  EXPECT_EQ(row.colour, Colour::blue);
}

TEST_F(RowTest, NullStandsForNothing) {
  put({});
  EXPECT_FALSE(get().start);
  Statement nulls(database_, "SELECT problem IS NULL, text IS NULL, start IS NULL FROM t");
  ASSERT_TRUE(nulls.step());
  EXPECT_EQ(nulls.integer(0), 1);
  EXPECT_EQ(nulls.integer(1), 0);
  EXPECT_EQ(nulls.integer(2), 1);
}

TEST_F(RowTest, RefusesADamagedListAndAnUnknownName) {
  put({});
  database_.execute("UPDATE t SET list = '[1]'");
  EXPECT_THROW(get(), UserError);
  database_.execute("UPDATE t SET list = '[]', colour = 'green'");
  const std::string message = message_of([&] { get(); });
  EXPECT_NE(message.find("column colour: 'green'"), std::string::npos) << message;
}

}  // namespace
}  // namespace heddle::lab
