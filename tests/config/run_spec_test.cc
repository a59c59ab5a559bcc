#include "config/run_spec.h"

#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "config/config.h"

namespace heddle::config {
namespace {

// Gives every field another value than its default.
struct Changer {
  int number = 2;

  template <class Value>
  Changer& operator()(const char* name, Value& value) {
    if constexpr (requires { Value::fields(value, *this); })
      Value::fields(value, *this);
    else
      change(name, value);
    return *this;
  }
  void change(const char*, bool& value) { value = !value; }
  void change(const char*, std::string& value) { value += "\xff" + std::to_string(++number); }
  void change(const char* name, std::vector<std::string>& value) { value = {name, "--", ""}; }
  void change(const char*, std::map<std::string, std::uint32_t>& value) { value = {{"k", 7}}; }
  void change(const char*, KernelSelection& value) { value = KernelSelection("3..7,bfs*"); }
  void change(const char*, GpuSpec& value) { value = load_gpu("qv100", {"sm.l1d.ways=2"}); }
  void change(const char*, CodeKind& value) { value = CodeKind::sass; }
  template <class Number>
  void change(const char*, Number& value) {
    value += static_cast<Number>(++number);
  }
};

TEST(RunSpec, SurvivesItsTextWhateverItsFieldsAre) {
  RunSpec spec;
  Changer changer;
  RunSpec::fields(spec, changer);
  const RunSpec again = RunSpec::from_json(spec.to_json());
  EXPECT_EQ(again.to_json(), spec.to_json());
  EXPECT_EQ(again.scheduler, spec.scheduler);
  EXPECT_EQ(again.gpu.sm.l1d.ways, 2u);
  EXPECT_EQ(again.timed.kernels.text(), "3..7,bfs*");
  EXPECT_EQ(again.watch.timeline_to, spec.watch.timeline_to);
  EXPECT_EQ(again.capture.images_every, spec.capture.images_every);
  EXPECT_EQ(again.registers.at("k"), 7u);
  EXPECT_EQ(again.memory_bytes, spec.memory_bytes);
  EXPECT_EQ(again.isa, CodeKind::sass);
}

TEST(RunSpec, KeepsItsDefaultsAndEveryValueOfItsGpu) {
  RunSpec spec;
  spec.gpu = load_gpu("ipaws", {"clocks.dram=923.7"});
  spec.seed = ~std::uint64_t{0};
  const RunSpec again = RunSpec::from_json(spec.to_json());
  EXPECT_EQ(to_toml(again.gpu), to_toml(spec.gpu));
  EXPECT_EQ(again.seed, spec.seed);
  EXPECT_EQ(again.scheduler, "gto");
  EXPECT_TRUE(again.timed.everything());
  EXPECT_EQ(again.capture.last, ~std::uint64_t{0});
}

TEST(RunSpec, RefusesADamagedText) {
  RunSpec spec;
  spec.gpu = load_gpu("gtx480");
  const std::string text = spec.to_json();
  EXPECT_NO_THROW(RunSpec::from_json(text));
  EXPECT_THROW(RunSpec::from_json(text.substr(0, text.size() / 2)), UserError);
  std::string renamed = text;
  EXPECT_THROW(RunSpec::from_json(renamed.replace(renamed.find("first_warp"), 5, "other")),
               UserError);
}

}  // namespace
}  // namespace heddle::config
