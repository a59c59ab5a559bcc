#include "sass/kernel.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "base/diagnostics.h"

namespace heddle::sass {
namespace {

Cubin cubin_with(std::vector<InstructionWord> words) {
  Cubin cubin;
  cubin.architecture = 80;
  Code code;
  code.name = "k";
  code.kernel = true;
  code.section = 3;
  code.words = std::move(words);
  code.info.registers = 12;
  code.info.parameters = {{0, 0, 8}, {1, 8, 4}};
  code.info.parameter_base = 0x160;
  code.shared_bytes = 256;
  cubin.code.push_back(code);
  return cubin;
}

TEST(MachineKernel, TakesParametersRegistersAndSharedMemoryFromTheCubin) {
  const Kernel kernel = make_kernel(cubin_with({InstructionWord{}}), "k", "file", {});
  EXPECT_EQ(kernel.parameter_bytes, 12u);
  ASSERT_EQ(kernel.parameters.size(), 2u);
  EXPECT_EQ(kernel.parameters[1].offset, 8u);
  EXPECT_EQ(kernel.registers_per_thread, 12u);
  EXPECT_EQ(kernel.shared_bytes, 256u);
}

TEST(MachineKernel, KeepsWhyAnInstructionIsNotDecoded) {
  const Kernel kernel = make_kernel(cubin_with({InstructionWord{0xfff, 0}}), "k", "file", {});
  ASSERT_EQ(kernel.refusals.size(), 1u);
  EXPECT_NE(kernel.refusals.at(0).find("opcode 0xfff"), std::string::npos);
}

// LDG.E.128 R250, [R46] and one behind the last register.
TEST(MachineKernel, RefusesRegistersThatDoNotExist) {
  InstructionWord word{0x000000002efa2381, 0x000fe200001e0d00};
  EXPECT_TRUE(make_kernel(cubin_with({word}), "k", "file", {}).refusals.empty());
  word.low += 1 << 16;
  const Kernel kernel = make_kernel(cubin_with({word}), "k", "file", {});
  ASSERT_EQ(kernel.refusals.size(), 1u);
  EXPECT_NE(kernel.refusals.at(0).find("do not exist"), std::string::npos);
}

TEST(MachineKernel, AddressesOfCodeAreThoseOfItsSegment) {
  const Kernel kernel =
      make_kernel(cubin_with({InstructionWord{}, InstructionWord{}}), "k", "file", {});
  EXPECT_EQ(kernel.pc_of(kernel.address_of(1)), 1u);
  EXPECT_EQ(kernel.pc_of(kernel.address_of(1) + 8), kNoPc);
  EXPECT_EQ(kernel.pc_of(0), kNoPc);
}

TEST(MachineKernel, RefusesAnUnknownNameAndArchitecture) {
  Cubin cubin = cubin_with({InstructionWord{}});
  EXPECT_THROW(make_kernel(cubin, "other", "file", {}), UserError);
  cubin.architecture = 53;
  EXPECT_THROW(make_kernel(cubin, "k", "file", {}), UserError);
}

TEST(MachineKernel, RefusesMoreStackOrSharedMemoryThanAGpuHas) {
  Cubin cubin = cubin_with({InstructionWord{}});
  cubin.code[0].info.stack_bytes = 512 << 10;
  EXPECT_EQ(make_kernel(cubin, "k", "file", {}).local_bytes, 512u << 10);
  ++cubin.code[0].info.stack_bytes;
  EXPECT_THROW(make_kernel(cubin, "k", "file", {}), UserError);
  cubin = cubin_with({InstructionWord{}});
  cubin.code[0].shared_bytes = (std::uint64_t{1} << 32) + 256;
  EXPECT_THROW(make_kernel(cubin, "k", "file", {}), UserError);
}

TEST(MachineKernel, RefusesBlocksAndClustersThatNoGpuHas) {
  Cubin cubin = cubin_with({InstructionWord{}});
  cubin.code[0].info.required_threads = {32, 4, 1};
  cubin.code[0].info.required_cluster = {2, 1, 1};
  EXPECT_EQ(make_kernel(cubin, "k", "file", {}).max_threads, 128u);
  const std::uint32_t large = std::uint32_t{1} << 31;
  cubin.code[0].info.required_cluster = {large, large, 4};  // the product is 0 in 64 bits
  EXPECT_THROW(make_kernel(cubin, "k", "file", {}), UserError);
  cubin.code[0].info.required_cluster.clear();
  cubin.code[0].info.required_threads = {0, 1, 1};
  EXPECT_THROW(make_kernel(cubin, "k", "file", {}), UserError);
}

TEST(MachineKernel, ConstantsWithAddressesOfVariablesAreRelocated) {
  Cubin cubin = cubin_with({InstructionWord{}});
  cubin.symbols = {{}, {"variable", 1, 0, 7, 0, 4}, {"malloc", 2, 0, 0, 0, 0}};
  cubin.data.push_back({".nv.global", 7, 4, 8, {}, {}});
  ConstantBank bank;
  bank.bank = 4;
  bank.data.assign(16, 0);
  bank.relocations = {{0, 2, 1, 0}, {8, 2, 2, 0}};
  cubin.constants.push_back(bank);
  SymbolPlaces places;
  places.variables["variable"] = Address{0xc0001000};
  const Kernel kernel = make_kernel(cubin, "k", "file", places);
  std::array<std::uint64_t, 2> values{};
  std::memcpy(values.data(), kernel.banks[4].data(), sizeof values);
  EXPECT_EQ(values[0], 0xc0001000u);
  EXPECT_EQ(kernel.pc_of(values[1]), kernel.first_system_call);
  EXPECT_EQ(kernel.code[kernel.first_system_call].opcode, ptx::Opcode::device_malloc);
  places.variables.clear();
  EXPECT_THROW(make_kernel(cubin, "k", "file", places), UserError);
}

// MOV R20, 0 with either half of the address of a function, and CALL.ABS of it.
// TEX.SCR.LL RZ, R0, R6, R0, 0x0, 0x5a, 2D, 0x1: the handle is at 0x168 of bank 0.
TEST(MachineKernel, AReferenceHasAHandleBehindTheParameters) {
  constexpr std::uint32_t kAt = 0x168, kHandle = 7, kTypeOfHandles = 6;
  Cubin cubin = cubin_with({{0x30005a0006007b60, 0x040fc200019e01ff}});
  cubin.symbols = {{}, {"texture", 10, 0, 0, 0, 0}};
  ConstantBank bank;
  bank.code = "k";
  bank.relocations = {{kAt, kTypeOfHandles, 1, 0}};
  cubin.constants.push_back(bank);
  SymbolPlaces places;
  EXPECT_NE(make_kernel(cubin, "k", "file", places).refusals.at(0).find("texture"),
            std::string::npos);
  places.handles = {{"texture", kHandle}};
  const Kernel kernel = make_kernel(cubin, "k", "file", places);
  EXPECT_TRUE(kernel.refusals.empty());
  EXPECT_EQ(kernel.handles, (std::map<std::uint32_t, std::uint32_t>{{kAt, kHandle}}));
  cubin.constants[0].relocations[0].offset = std::uint64_t{1} << 40;
  EXPECT_THROW(make_kernel(cubin, "k", "file", places), UserError);
}

TEST(MachineKernel, InstructionsWithAddressesAreRelocated) {
  const InstructionWord move{0x0000000000147802, 0x000fe40000000f00},
      call{0x0000000000007943, 0x000fea0003c00000};
  Cubin cubin = cubin_with({move, move, call, move});
  Code function;
  function.name = "f";
  function.section = 4;
  function.words.resize(2);
  cubin.code.push_back(function);
  cubin.symbols = {{}, {"f", 2, 0, 4, 0, 32}};
  cubin.code[0].relocations = {{0, 56, 1, 0}, {16, 57, 1, 0}, {32, 58, 1, 0}, {48, 99, 1, 0}};
  const Kernel kernel = make_kernel(cubin, "k", "file", {});
  const Pc callee = kernel.segments[1].first;
  EXPECT_EQ(kernel.code[0].code.operands[1].value,
            static_cast<std::int64_t>(kernel.address_of(callee)));
  EXPECT_EQ(kernel.code[1].code.operands[1].value, 0);
  EXPECT_EQ(kernel.code[2].target, callee);
  EXPECT_NE(kernel.refusals.at(3).find("relocation of type 99"), std::string::npos);
  cubin.code[0].relocations = {{64, 56, 1, 0}};
  EXPECT_THROW(make_kernel(cubin, "k", "file", {}), UserError);
}

}  // namespace
}  // namespace heddle::sass
