// A policy's file and its line in the catalogue are all of it.
#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "gpu/cta/catalogue.h"
#include "gpu/share/catalogue.h"
#include "mem/catalogue.h"
#include "sched/catalogue.h"
#include "tests/tidy/source_tree.h"

namespace heddle::tidy {

TEST(Policies, AreNamedInNoReport) {
  std::string names;
  for (const auto& list :
       {sched::list_policies(), gpu::list_cta_policies(), gpu::list_share_policies(),
        policies::list_policies<mem::ReplacementEntry>(),
        policies::list_policies<mem::DramSchedulerEntry>()})
    for (const policies::PolicyInfo& policy : list)
      names += (names.empty() ? "" : "|") + policy.name;
  const std::regex name("\"(/policy/)?(" + names + ")(\"|\\.|/)");
  EXPECT_TRUE(std::regex_search("\"ccws.vetoed_loads\"", name));
  for (const SourceFile& file : read_sources({"src/report"}))
    for (std::size_t i = 0; i < file.lines.size(); ++i)
      EXPECT_FALSE(std::regex_search(file.lines[i].substr(0, file.lines[i].find("//")), name))
          << place(file, i) << ": " << file.lines[i];
}

}  // namespace heddle::tidy
