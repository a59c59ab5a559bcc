#include "sm/policy/slot_use.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>

#include "report/palette.h"

namespace heddle::sm {
namespace {

TEST(SlotUses, HaveANameALabelAPhraseAndAColour) {
  for (int i = 0; i < kSlotUses; ++i) {
    const SlotUseInfo& use = info(static_cast<SlotUse>(i));
    const report::SlotLook& look = report::look_of(static_cast<SlotUse>(i));
    EXPECT_FALSE(use.name.empty());
    EXPECT_FALSE(use.label.empty()) << use.name;
    EXPECT_FALSE(use.phrase.empty()) << use.name;
    EXPECT_FALSE(look.block.empty()) << use.name;
    EXPECT_TRUE(std::regex_match(std::string(look.colour), std::regex("#[0-9a-f]{6}"))) << use.name;
    EXPECT_GT(look.terminal_colour, 15) << use.name;
    EXPECT_LT(look.terminal_colour, 256) << use.name;
  }
}

TEST(SlotUses, AreDistinguishable) {
  std::set<std::string_view> names, labels, phrases, colours, blocks;
  std::set<int> terminal_colours;
  for (const SlotUseInfo& use : kSlotUseTable)
    names.insert(use.name), labels.insert(use.label), phrases.insert(use.phrase);
  for (const report::SlotLook& look : report::kSlotLooks) {
    colours.insert(look.colour), blocks.insert(look.block);
    terminal_colours.insert(look.terminal_colour);
  }
  for (const std::size_t count : {names.size(), labels.size(), phrases.size(), colours.size(),
                                  blocks.size(), terminal_colours.size()})
    EXPECT_EQ(count, std::size_t{kSlotUses});
}

TEST(SlotUses, StandInTheTableInTheOrderOfTheEnum) {
  EXPECT_EQ(info(SlotUse::issued).name, "issued");
  EXPECT_EQ(info(SlotUse::idle).name, "idle");
  EXPECT_EQ(info(SlotUse::instruction_buffer_empty).name, "instruction_buffer_empty");
  EXPECT_EQ(info(SlotUse::barrier).name, "barrier");
  EXPECT_EQ(info(SlotUse::scoreboard).name, "scoreboard");
  EXPECT_EQ(info(SlotUse::pipeline).name, "pipeline");
  EXPECT_EQ(info(SlotUse::throttled).name, "throttled");
  EXPECT_EQ(info(SlotUse::outstanding).name, "outstanding");
}

TEST(SlotUses, AllHaveAPlaceInStacks) {
  auto order = report::kStackOrder;
  std::sort(order.begin(), order.end());
  for (int i = 0; i < kSlotUses; ++i)
    EXPECT_EQ(order[static_cast<std::size_t>(i)], static_cast<SlotUse>(i));
}

}  // namespace
}  // namespace heddle::sm
