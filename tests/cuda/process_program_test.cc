// The kernels and variables of what object files have registered.
#include "cuda/process/program.h"

#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "config/config.h"

namespace heddle::cuda {
namespace {

const std::string kHeader = ".version 7.0\n.target sm_75\n.address_size 64\n";

std::string kernel_text(const std::string& name, int moves, const std::string& before = "") {
  std::string text = kHeader + before + ".visible .entry " + name + "() {\n.reg .u32 %r;\n";
  for (int i = 0; i < moves; ++i) text += "mov.u32 %r, " + std::to_string(i) + ";\n";
  return text + "ret;\n}\n";
}

// A program of object files, whose host functions and variables are members of it.
struct RegisteredProgram : testing::Test {
  RegisteredProgram() { spec.gpu = config::load_gpu("gtx480"); }
  const Registry::Binary* add_file(const std::string& text) {
    texts.push_back(text);
    wrappers.push_back({kWrapperMagic, 1, texts.back().c_str(), nullptr});
    return &registry.binaries.emplace_back(Registry::Binary{&wrappers.back()});
  }
  void add_kernel(const char& host, const Registry::Binary* file, const std::string& name) {
    registry.kernels[&host] = {file, name, 0};
  }
  std::size_t instructions(const char& host) {
    const isa::Kernel* const kernel = program.kernel(&host);
    return kernel ? kernel->instructions.size() : 0;
  }
  std::string refusal(const char& host) {
    try {
      program.kernel(&host);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }

  std::deque<std::string> texts;
  std::deque<FatBinaryWrapper> wrappers;
  Registry registry;
  config::RunSpec spec;
  exec::GlobalMemory memory{1 << 20};
  exec::TextureTable textures;
  LoadedProgram program{registry, spec, memory, textures};
  char hosts[4] = {};
};

TEST_F(RegisteredProgram, AKernelIsThatOfTheFileThatRegisteredIt) {
  const auto *first = add_file(kernel_text("k", 1)), *second = add_file(kernel_text("k", 3));
  add_kernel(hosts[0], first, "k");
  add_kernel(hosts[1], second, "k");
  EXPECT_EQ(instructions(hosts[1]), 4u);
  EXPECT_EQ(instructions(hosts[0]), 2u);
  const isa::Kernel* const kernel = program.kernel(&hosts[0]);
  EXPECT_EQ(program.kernel(&hosts[0]), kernel);
  EXPECT_EQ(program.kernel(kernel), kernel);
  EXPECT_EQ(program.kernel(&hosts[2]), nullptr);
  EXPECT_EQ(program.target_of(*kernel), 75);
  EXPECT_EQ(program.target_of(isa::Kernel{}), 0);
}

TEST_F(RegisteredProgram, AFileMayHaveSeveralTexts) {
  const std::string one = make_container(kernel_text("a", 1), "", 75),
                    two = make_container(kernel_text("b", 2), "", 75);
  const void* containers[] = {one.data(), two.data(), nullptr};
  const FatBinaryWrapper wrapper{kWrapperMagic, 2, nullptr, containers};
  const auto* file = &registry.binaries.emplace_back(Registry::Binary{&wrapper});
  add_kernel(hosts[0], file, "a");
  add_kernel(hosts[1], file, "b");
  EXPECT_EQ(instructions(hosts[0]), 2u);
  EXPECT_EQ(instructions(hosts[1]), 3u);
}

TEST_F(RegisteredProgram, AFileThatIsRegisteredLaterIsRead) {
  add_kernel(hosts[0], add_file(kernel_text("early", 1)), "early");
  EXPECT_EQ(instructions(hosts[0]), 2u);
  add_kernel(hosts[1], add_file(kernel_text("late", 2)), "late");
  EXPECT_EQ(instructions(hosts[1]), 3u);
}

TEST_F(RegisteredProgram, AKernelThatTheTextLacksIsRefusedByName) {
  add_kernel(hosts[0], add_file(kernel_text("here", 1)), "there");
  EXPECT_NE(refusal(hosts[0]).find("there"), std::string::npos);
}

TEST_F(RegisteredProgram, AVariableHasThePlaceAndTheBytesOfItsFile) {
  const auto *first = add_file(kernel_text("a", 1, ".visible .global .u32 v[3];\n")),
             *second = add_file(kernel_text("b", 1, ".visible .global .u32 w;\n"));
  registry.variables[&hosts[0]] = {first, "v", 12};
  registry.variables[&hosts[1]] = {second, "w", 4};
  registry.variables[&hosts[2]] = {second, "removed", 4};
  ASSERT_TRUE(program.variable(&hosts[0]));
  ASSERT_TRUE(program.variable(&hosts[1]));
  EXPECT_EQ(program.variable(&hosts[0])->bytes, 12u);
  EXPECT_EQ(program.variable(&hosts[1])->bytes, 4u);
  EXPECT_NE(program.variable(&hosts[0])->address, program.variable(&hosts[1])->address);
  EXPECT_FALSE(program.variable(&hosts[2]));
}

TEST_F(RegisteredProgram, AModuleHasTheKernelsOfItsTextsOnly) {
  const auto *one = program.add_module({kernel_text("a", 1), kernel_text("b", 2)}, "one"),
             *two = program.add_module({kernel_text("a", 3)}, "two");
  EXPECT_EQ(program.kernel_names(one), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(program.kernel_names(two), (std::vector<std::string>{"a"}));
  EXPECT_EQ(program.kernel_named(one, "a")->instructions.size(), 2u);
  EXPECT_EQ(program.kernel_named(two, "a")->instructions.size(), 4u);
  EXPECT_EQ(program.kernel_named(two, "b"), nullptr);
  EXPECT_EQ(program.module_of(program.kernel_named(two, "a")), two);
  EXPECT_EQ(program.module_of(nullptr), nullptr);
}

TEST_F(RegisteredProgram, OfARefusedModuleNothingIsKept) {
  const std::string broken = kHeader + ".visible .entry c() { nonsense; }\n";
  EXPECT_THROW(program.add_module({kernel_text("a", 1), broken}, "broken"), UserError);
  const auto* next = program.add_module({kernel_text("d", 1)}, "next");
  EXPECT_EQ(program.kernel_names(next), (std::vector<std::string>{"d"}));
  EXPECT_EQ(program.kernel_named(next, "d")->instructions.size(), 2u);
}

TEST_F(RegisteredProgram, AVariableThatDoesNotFitIsRefusedWithItsSize) {
  const auto module_refusal = [&](const std::string& variable) -> std::string {
    try {
      program.add_module({kHeader + variable}, "big");
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  const std::string size = std::to_string(kConstantsBytes + 1);
  const std::string global = module_refusal(".visible .global .b8 big[" + size + "];\n"),
                    constant = module_refusal(".visible .const .b8 big[" + size + "];\n");
  EXPECT_NE(global.find("cannot hold variable big of " + size + " bytes"), std::string::npos);
  EXPECT_EQ(global.find("constants lie below 4 GiB"), std::string::npos);
  EXPECT_NE(constant.find("constants lie below 4 GiB"), std::string::npos) << constant;
}

TEST(RegisterOverrides, NameKernelsOfTheProgram) {
  const auto refusal = [](const std::string& name) -> std::string {
    try {
      check_register_overrides({{name, 32}}, {"walk", "add"});
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("walk"), "");
  EXPECT_NE(refusal("wolk").find("did you mean walk"), std::string::npos);
  EXPECT_NE(refusal("z").find("no such kernel; it has walk, add"), std::string::npos);
}

}  // namespace
}  // namespace heddle::cuda
