// A name means one thing: no two namespaces of src/ have public types of the same name.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/tidy/class_sizes.h"

namespace heddle::tidy {
namespace {

// Names that stay, and why.
const std::map<std::string, std::string> kShared{
    {"Event", "sm: what plug-ins subscribe to; cuda: CUDA's own term"},
    {"FinishedCta", "the same CTA, as an SM reports it and as CTA schedulers see it"},
    {"Instruction", "the same instruction: isa has what PTX and machine code share"},
    {"IssuePattern", "the same pattern of iPAWS, as the policy holds it and as results have it"},
    {"Kernel", "the same kernel: isa has what PTX and machine code share"},
    {"Opcode", "of PTX and of machine code"},
    {"Operand", "of PTX and of machine code"},
    {"Warp", "the same warp: exec has its functional state, sm its timing"},
};

using Spaces = std::map<std::string, std::set<std::string>>;  // by the type's name

std::vector<std::string> errors_of(const Spaces& spaces,
                                   const std::map<std::string, std::string>& shared) {
  std::vector<std::string> errors;
  for (const auto& [name, in] : spaces) {
    if (in.size() < 2 || shared.contains(name)) continue;
    std::string text = name + " is a type of";
    for (const std::string& space : in) text += " " + space;
    errors.push_back(text);
  }
  for (const auto& [name, reason] : shared) {
    const auto found = spaces.find(name);
    if (found == spaces.end() || found->second.size() < 2)
      errors.push_back(name + " is the name of one type: remove it from the list");
  }
  return errors;
}

std::vector<std::string> types_in(std::vector<std::string> lines) {
  SourceFile file;
  file.lines = std::move(lines);
  std::vector<std::string> names;
  for (const TypeName& type : types_of(file)) names.push_back(type.space + "::" + type.name);
  return names;
}

TEST(TypeNames, MeanOneThing) {
  Spaces spaces;
  for (const SourceFile& file : read_sources({"src"}))
    if (file.is_header())
      for (const TypeName& type : types_of(file)) spaces[type.name].insert(type.space);
  EXPECT_GT(spaces.size(), 500u);
  for (const std::string& error : errors_of(spaces, kShared)) ADD_FAILURE() << error;
}

TEST(TypeNames, AreThoseOfClassesAndEnumerationsOfANamespace) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(types_in({"namespace a::b {", "struct S { struct Inner {}; enum E { x }; };",
                      "enum class E : int { y };", "}"}),
            (Names{"a::b::S", "a::b::E"}));
  EXPECT_EQ(types_in({"namespace a {", "void f() {}", "namespace b { class C {}; }",
                      "template <class T> struct D final : T {};", "}"}),
            (Names{"a::b::C", "a::D"}));
  EXPECT_EQ(types_in({"namespace a {", "class C;", "enum class E : int;", "using U = int;",
                      "struct S::Inner {};", "}"}),
            Names{});
  EXPECT_EQ(types_in({"namespace a { namespace { struct S {}; namespace b { struct T {}; } }",
                      "struct U {}; }"}),
            Names{"a::U"});
  EXPECT_EQ(types_in({"extern \"C\" {", "struct S {};", "}", "namespace a { struct T {}; }"}),
            Names{"a::T"});
}

TEST(TypeNames, ASecondTypeAndAStaleEntryAreErrors) {
  using Errors = std::vector<std::string>;
  EXPECT_EQ(errors_of({{"S", {"a"}}, {"T", {"a", "b"}}}, {{"T", "why"}}), Errors{});
  EXPECT_EQ(errors_of({{"S", {"a", "b"}}}, {}), Errors{"S is a type of a b"});
  EXPECT_EQ(errors_of({{"S", {"a"}}}, {{"S", "why"}}),
            Errors{"S is the name of one type: remove it from the list"});
}

}  // namespace
}  // namespace heddle::tidy
