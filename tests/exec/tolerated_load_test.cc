// Out-of-bounds loads that are tolerated, because a GPU checks whole pages.
#include <gtest/gtest.h>

#include <cstring>

#include "exec/services/device_services.h"
#include "exec/state/global_memory.h"
#include "exec/state/launch.h"
#include "ptx/module.h"

namespace heddle::exec::test {
namespace {

// Runs k(u64 p) with one thread. p: 16 bytes, followed by the value 7. Returns p's first word.
std::uint32_t run_loads(const std::string& body, DeviceServices* services) {
  const std::string text =
      ".version 7.3\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
      ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\nld.param.u64 %rd1, [p];\n" +
      body + "ret;\n}\n";
  GlobalMemory memory(1 << 20);
  const ptx::Module module = ptx::Module::parse(text, "load.ptx");
  const ptx::Kernel kernel = module.lower("k", {});
  const Address p = memory.allocate(16, "p");
  const std::uint32_t after_end = 7;
  std::memcpy(memory.host(p) + 16, &after_end, sizeof after_end);
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

const std::string kLoadAfterEnd = "ld.global.u32 %r1, [%rd1+16];\nst.global.u32 [%rd1], %r1;\n";

TEST(ToleratedLoad, ReadsAMappedPageAndIsReported) {
  DeviceServices services;
  EXPECT_EQ(run_loads(kLoadAfterEnd, &services), 7u);
  ASSERT_EQ(services.warnings.size(), 1u);
  EXPECT_EQ(services.warnings[0].text,
            "heddle: warning: out-of-bounds load of 4 bytes\n"
            "  kernel   k  (load.ptx:8)\n"
            "  thread   (0,0,0) of CTA (0,0,0)\n"
            "  address  0xc0000010, 0 bytes after the end of p (0xc0000000, 16 bytes)\n"
            "  The run continues: a GPU checks whole pages of 2 MiB and reads what lies there. "
            "`heddle check` finds every such access.");
}

TEST(ToleratedLoad, IsReportedOncePerLaunch) {
  DeviceServices services;
  run_loads("ld.global.u32 %r1, [%rd1+-4];\n" + kLoadAfterEnd, &services);
  ASSERT_EQ(services.warnings.size(), 1u);
  EXPECT_NE(services.warnings[0].text.find("0xbffffffc, 4 bytes before the start of p"),
            std::string::npos)
      << services.warnings[0].text;
}

TEST(ToleratedLoad, IsAFaultWithoutDeviceServices) {
  EXPECT_THROW(run_loads(kLoadAfterEnd, nullptr), KernelFault);
}

TEST(ToleratedLoad, StoresAtomicsAndUnmappedPagesAreFaults) {
  DeviceServices services;
  EXPECT_THROW(run_loads("st.global.u32 [%rd1+16], 1;\n", &services), KernelFault);
  EXPECT_THROW(run_loads("atom.global.add.u32 %r1, [%rd1+16], 1;\n", &services), KernelFault);
  EXPECT_THROW(run_loads("ld.global.u32 %r1, [%rd1+2097152];\n", &services), KernelFault);
  EXPECT_THROW(run_loads("mov.u64 %rd2, 0;\nld.global.u32 %r1, [%rd2];\n", &services), KernelFault);
  EXPECT_TRUE(services.warnings.empty());
}

}  // namespace
}  // namespace heddle::exec::test
