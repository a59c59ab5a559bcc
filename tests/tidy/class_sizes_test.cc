// Every class of src/ is small, or stands in class_sizes.txt with a reason and does not grow.
#include "tests/tidy/class_sizes.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

namespace heddle::tidy {
namespace {

constexpr int kMaxMethods = 30, kMaxMembers = 20;

struct Size {
  int methods = 0, members = 0;
  bool operator==(const Size&) const = default;
};
using Sizes = std::map<std::string, Size>;  // by "FILE: CLASS"

std::string text_of(const Size& size) {
  return std::to_string(size.methods) + "/" + std::to_string(size.members);
}

struct LargeClasses {
  Sizes sizes;
  std::vector<std::string> errors;
};

// "why: REASON", then lines "FILE: CLASS METHODS/MEMBERS".
LargeClasses read_classes(const std::vector<std::string>& lines) {
  LargeClasses list;
  bool has_reason = false;
  for (const std::string& line : lines) {
    if (line.empty()) has_reason = false;
    if (line.empty() || line.starts_with("#")) continue;
    if (line.starts_with("why: ")) {
      has_reason = true;
      continue;
    }
    std::istringstream words(line);
    std::string file, name;
    Size size;
    char slash = 0;
    if (!(words >> file >> name >> size.methods >> slash >> size.members) || slash != '/')
      list.errors.push_back("not a class and its size: " + line);
    else if (!list.sizes.emplace(file + " " + name, size).second)
      list.errors.push_back("listed twice: " + name);
    if (!has_reason) list.errors.push_back("no reason before: " + line);
  }
  return list;
}

std::vector<std::string> compare_sizes(const Sizes& large, const LargeClasses& list) {
  std::vector<std::string> errors = list.errors;
  for (const auto& [name, size] : large) {
    const auto listed = list.sizes.find(name);
    const bool known = listed != list.sizes.end();
    if (!known || size.methods > listed->second.methods || size.members > listed->second.members)
      errors.push_back(name + " has " + text_of(size) + " methods and data members; allowed: " +
                       text_of(known ? listed->second : Size{kMaxMethods, kMaxMembers}));
  }
  for (const auto& [name, size] : list.sizes)
    if (!large.contains(name)) errors.push_back(name + " is not large: remove it from the list");
  return errors;
}

SourceFile source(std::vector<std::string> lines) {
  SourceFile file;
  file.lines = std::move(lines);
  return file;
}

Size size_of(const std::vector<std::string>& body) {
  std::vector<std::string> lines{"namespace n {", "class Thing final : public Base<int> {"};
  lines.insert(lines.end(), body.begin(), body.end());
  lines.insert(lines.end(), {"};", "}"});
  const std::vector<ClassSize> classes = classes_of(source(lines));
  EXPECT_EQ(classes.back().name, "Thing");
  return {classes.back().methods, classes.back().members};
}

TEST(ClassSizes, LargeClassesAreThoseOfTheList) {
  Sizes large;
  for (const SourceFile& file : read_sources({"src"}))
    for (const ClassSize& c : classes_of(file))
      if (c.methods > kMaxMethods || (c.members > kMaxMembers && !c.record))
        large[file.path + ": " + c.name] = {c.methods, c.members};
  const auto list = read_texts({"tests/tidy/class_sizes.txt"});
  ASSERT_EQ(list.size(), 1u);
  for (const std::string& error : compare_sizes(large, read_classes(list[0].lines)))
    ADD_FAILURE() << error;
}

TEST(ClassSizes, EachDeclaratorIsADataMember) {
  EXPECT_EQ(size_of({"int a = 1, b{2, 3}, c[4];", "std::map<int, int> d, e;"}), (Size{0, 5}));
  EXPECT_EQ(size_of({"std::function<void(int)> call;", "Host& host_;"}), (Size{0, 2}));
  EXPECT_EQ(size_of({"std::uint32_t kind : 3, other : 2;", "enum { x, y } z;"}), (Size{0, 3}));
  EXPECT_EQ(size_of({"alignas(64) int a = f(1, 2);", "decltype(a) b;"}), (Size{0, 2}));
}

TEST(ClassSizes, AnAlignedClassIsAClass) {
  const auto classes =
      classes_of(source({"class alignas(sizeof(int) * 2) A {", " int x, y;", "};"}));
  ASSERT_EQ(classes.size(), 1u);
  EXPECT_EQ(classes[0].name, "A");
  EXPECT_EQ(classes[0].members, 2);
}

TEST(ClassSizes, StaticDataTypesAndFriendsAreNotCounted) {
  EXPECT_EQ(size_of({"static constexpr int kMax = 1, kMin = 2;", "using Work = int;",
                     "friend class Other;", "friend bool f(int) { return true; }",
                     "enum class Kind { a, b };", "static_assert(sizeof(int) == 4);"}),
            Size{});
}

TEST(ClassSizes, EachOverloadIsAMethod) {
  EXPECT_EQ(size_of({"void f();", "void f(int = 0) const { g(); }", "virtual int g() = 0;",
                     "template <class T, class = int>", "T h(T t) requires(sizeof(T) > 1);",
                     "std::vector<int> i() const;", "[[nodiscard]] auto j() -> int;"}),
            (Size{6, 0}));
  EXPECT_EQ(
      size_of({"bool operator<(int) const;", "int operator()(int);", "explicit operator bool();",
               "auto operator<=>(const Thing&) const = default;"}),
      (Size{3, 0}));
}

TEST(ClassSizes, ConstructorsWithInitialisersAreMethods) {
  EXPECT_EQ(size_of({"explicit Thing(int a) : Base<int>(a), a_{a}, b_(a) {", "  if (a) f();", "}",
                     "~Thing() override;", "Thing(const Thing&) = delete;", "int a_, b_;"}),
            (Size{2, 2}));
}

TEST(ClassSizes, CommentsLiteralsAndDirectivesAreNoCode) {
  EXPECT_EQ(size_of({"// int a;", "/* int b;", "int c; */", "#define INT int d; \\", "  int e;",
                     "std::string f = \"int g; {\";"}),
            (Size{0, 1}));
}

TEST(ClassSizes, NestedClassesStandForThemselves) {
  const auto classes =
      classes_of(source({"struct A {", " class B { int x; int f(); } b;", " struct C;", " int y;",
                         "};", "struct A::C { int z; };"}));
  ASSERT_EQ(classes.size(), 3u);
  EXPECT_EQ(classes[0].name, "A::B");
  EXPECT_EQ(classes[1].name, "A");
  EXPECT_EQ(classes[1].members, 2);
  EXPECT_EQ(classes[2].name, "A::C");
}

TEST(ClassSizes, ARecordIsPublicAndDescribedByFields) {
  const auto is_record = [](const std::string& body) {
    return classes_of(source({"struct A {" + body + "};"})).at(0).record;
  };
  EXPECT_TRUE(is_record("int x; static void fields(A& a);"));
  EXPECT_FALSE(is_record("int x;"));
  EXPECT_FALSE(is_record("static void fields(A& a); private: int x;"));
}

TEST(ClassSizes, NewAndGrownClassesAndStaleEntriesAreErrors) {
  const LargeClasses list{{{"f.h: A", {40, 3}}}, {}};
  EXPECT_EQ(compare_sizes({{"f.h: A", {40, 3}}}, list).size(), 0u);
  EXPECT_EQ(compare_sizes({{"f.h: A", {39, 2}}}, list).size(), 0u);
  EXPECT_EQ(compare_sizes({{"f.h: A", {41, 3}}}, list).size(), 1u);
  EXPECT_EQ(compare_sizes({{"f.h: A", {40, 3}}, {"f.h: B", {31, 0}}}, list),
            std::vector<std::string>{"f.h: B has 31/0 methods and data members; allowed: 30/20"});
  EXPECT_EQ(compare_sizes({}, list),
            std::vector<std::string>{"f.h: A is not large: remove it from the list"});
}

TEST(ClassSizes, AListHasAReasonForEachGroup) {
  EXPECT_EQ(read_classes({"# text", "", "why: one", "f.h: A 1/2"}).sizes,
            (Sizes{{"f.h: A", {1, 2}}}));
  EXPECT_EQ(read_classes({"f.h: A 1/2"}).errors.size(), 1u);
  EXPECT_EQ(read_classes({"why: one", "f.h: A"}).errors.size(), 1u);
  EXPECT_EQ(read_classes({"why: one", "f.h: A 1/2", "f.h: A 1/2"}).errors.size(), 1u);
}

}  // namespace
}  // namespace heddle::tidy
