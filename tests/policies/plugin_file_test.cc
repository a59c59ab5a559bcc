#include "policies/plugin_file.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "base/diagnostics.h"

namespace heddle::policies {

TEST(PluginFile, AFileThatIsNoPluginIsRefusedWithTheReason) {
  Dl_info libc{};
  ASSERT_NE(dladdr(dlsym(RTLD_DEFAULT, "abort"), &libc), 0);
  const std::string library = libc.dli_fname;
  const auto refusal = [](const std::string& file) -> std::string {
    try {
      return PluginFile(file).has(kWarpPluginAbi) ? "a plug-in" : "a plug-in of other policies";
    } catch (const UserError& error) {
      return error.what();
    }
  };
  EXPECT_NE(refusal(library).find("plug-in " + library + ": has no heddle_"), std::string::npos)
      << refusal(library);
  EXPECT_NE(refusal("/nowhere/at/all.so").find("file not found"), std::string::npos);
}

}  // namespace heddle::policies
