// Loads out of bounds that a GPU lets pass, because it checks whole pages.
#include <gtest/gtest.h>

#include <cstring>

#include "exec/services/device_services.h"
#include "exec/state/global_memory.h"
#include "exec/state/launch.h"
#include "ptx/module.h"

namespace heddle::exec::test {
namespace {

// Runs k(u64 p) with one thread; p: 16 bytes, 7 behind them. What came to stand in p's first word.
std::uint32_t run(const std::string& body, DeviceServices* services) {
  const std::string text =
      ".version 7.3\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
      ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\nld.param.u64 %rd1, [p];\n" +
      body + "ret;\n}\n";
  GlobalMemory memory(1 << 20);
  const ptx::Module module = ptx::Module::parse(text, "stray.ptx");
  const ptx::Kernel kernel = module.lower("k", {});
  const Address p = memory.allocate(16, "p");
  const std::uint32_t behind = 7;
  std::memcpy(memory.host(p) + 16, &behind, sizeof behind);
  Launch launch;
  launch.kernel = &kernel;
  launch.grid = launch.block = {1, 1, 1};
  launch.parameters.resize(8);
  launch.services = services;
  std::memcpy(launch.parameters.data(), &p.value, 8);
  run_functionally(launch, memory, {});
  std::uint32_t word = 0;
  std::memcpy(&word, memory.host(p), sizeof word);
  return word;
}

const std::string kBehind = "ld.global.u32 %r1, [%rd1+16];\nst.global.u32 [%rd1], %r1;\n";

TEST(Stray, ALoadFromAMappedPageReadsWhatIsThereAndIsTold) {
  DeviceServices services;
  EXPECT_EQ(run(kBehind, &services), 7u);
  EXPECT_EQ(services.stray,
            "heddle: out-of-bounds load of 4 bytes\n"
            "  kernel   k  (stray.ptx:8)\n"
            "  thread   (0,0,0) of CTA (0,0,0)\n"
            "  address  0xc0000010, 0 bytes after the end of p (0xc0000000, 16 bytes)");
}

TEST(Stray, TheFirstIsTold) {
  DeviceServices services;
  run("ld.global.u32 %r1, [%rd1+-4];\n" + kBehind, &services);
  EXPECT_NE(services.stray.find("0xbffffffc, 4 bytes before the start of p"), std::string::npos)
      << services.stray;
}

TEST(Stray, WhereNobodyIsToldItIsAFault) { EXPECT_THROW(run(kBehind, nullptr), KernelFault); }

TEST(Stray, StoresAtomicsAndOtherPagesAreFaults) {
  DeviceServices services;
  EXPECT_THROW(run("st.global.u32 [%rd1+16], 1;\n", &services), KernelFault);
  EXPECT_THROW(run("atom.global.add.u32 %r1, [%rd1+16], 1;\n", &services), KernelFault);
  EXPECT_THROW(run("ld.global.u32 %r1, [%rd1+2097152];\n", &services), KernelFault);
  EXPECT_THROW(run("mov.u64 %rd2, 0;\nld.global.u32 %r1, [%rd2];\n", &services), KernelFault);
  EXPECT_EQ(services.stray, "");
}

}  // namespace
}  // namespace heddle::exec::test
