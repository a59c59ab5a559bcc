#include "sched/framework/plugins.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "tests/sched/error_message.h"

namespace heddle::sched {

TEST(Plugins, AFileThatIsNoPluginIsRefusedWithTheReason) {
  Dl_info libc{};
  ASSERT_NE(dladdr(dlsym(RTLD_DEFAULT, "abort"), &libc), 0);
  const std::string library = libc.dli_fname;
  const auto refusal = [](const std::string& file) { return message_of([&] { Plugins{{file}}; }); };
  EXPECT_NE(refusal(library).find("plug-in " + library + ": has no heddle_"), std::string::npos)
      << refusal(library);
  EXPECT_NE(refusal("/nowhere/at/all.so").find("file not found"), std::string::npos);
}

}  // namespace heddle::sched
