// The range of a parameter is what works: every combination of allowed values is refused with the
// name of a parameter in it, or simulates a kernel with all laws.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <random>

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "config/config.h"
#include "config/parameter.h"
#include "gpu/cta/catalogue.h"
#include "gpu/share/catalogue.h"
#include "sched/catalogue.h"
#include "tests/error_message.h"
#include "tests/laws/device_bench.h"

namespace heddle::laws {
namespace {

using config::GpuParameter;

const std::vector<std::string> kSmall{"clusters=2", "memory.channels=2", "memory_size=16MiB"};
// Tables of this size take the time of the test; the ends of their ranges work, too.
constexpr double kLargestSize = 1 << 20;

class Draw {
 public:
  explicit Draw(std::uint32_t seed) : random_(seed) {}

  bool chance(double share) { return std::uniform_real_distribution(0.0, 1.0)(random_) < share; }
  std::size_t below(std::size_t count) { return random_() % count; }

  // "key=value" with an allowed value; both ends are frequent.
  std::string setting(const GpuParameter& parameter) {
    return parameter.key + "=" +
           std::visit([&](auto slot) { return value(parameter, slot); }, parameter.slot);
  }

 private:
  double number(const GpuParameter& parameter) {
    const auto [low, limit, power_of_two] = parameter.limits;
    const double high = parameter.unit == "bytes" ? std::min(limit, kLargestSize) : limit;
    if (chance(0.25)) return low;
    if (chance(0.3)) return high;
    const double from = std::log2(std::max(low, 1.0)), to = std::log2(std::max(high, 1.0));
    const double drawn = std::uniform_real_distribution(from, to)(random_);
    return std::clamp(power_of_two ? std::exp2(std::floor(drawn)) : std::floor(std::exp2(drawn)),
                      low, high);
  }
  std::string whole(const GpuParameter& parameter) {
    return std::to_string(static_cast<std::uint64_t>(number(parameter)));
  }
  std::string list(const GpuParameter& parameter, std::size_t count) {
    std::string text = whole(parameter);
    for (std::size_t i = 1; i < count; ++i) text += "," + whole(parameter);
    return text;
  }

  std::string value(const GpuParameter& parameter, std::uint32_t*) { return whole(parameter); }
  std::string value(const GpuParameter& parameter, std::uint64_t*) { return whole(parameter); }
  std::string value(const GpuParameter& parameter, double*) { return whole(parameter); }
  std::string value(const GpuParameter&, bool*) { return chance(0.5) ? "true" : "false"; }
  std::string value(const GpuParameter&, std::string* text) { return *text; }
  std::string value(const GpuParameter&, const config::ChoiceSlot& slot) {
    return std::string(slot.names[below(slot.names.size())]);
  }
  std::string value(const GpuParameter& parameter, const config::ListSlot& slot) {
    return list(parameter, slot.count);
  }
  std::string value(const GpuParameter& parameter, config::OpenListSlot) {
    return list(parameter, 1 + below(3));
  }

  std::mt19937 random_;
};

bool names_one_of(const std::string& message, const std::vector<std::string>& settings) {
  return std::any_of(settings.begin(), settings.end(), [&](const std::string& setting) {
    return message.find(setting.substr(0, setting.find('='))) != std::string::npos;
  });
}

// Loads, stores, arithmetic, shared memory and barriers. Laws are checked at its end.
void simulate_two_kernels(const config::RunSpec& spec) {
  constexpr int kCount = 300;
  DeviceBench bench(spec);
  const auto in = bench.copy(std::vector<float>(kCount, 1.0f)), out = bench.zeros<float>(kCount);
  const auto sums = bench.zeros<float>(4);
  bench.run(reference_text("vecadd"), "vecadd", {2, 1, 1}, {160, 1, 1}, in, in, out, kCount);
  bench.run(reference_text("reduce"), "reduce", {2, 1, 1}, {256, 1, 1}, in, sums, kCount);
}

// A kernel that does not fit a small SM is no error of a range.
bool does_not_fit(const std::string& message) {
  return message.find("does not fit") != std::string::npos ||
         message.find("cannot hold") != std::string::npos;
}

void draw_machines(const std::string& gpu, std::uint32_t seed, int trials) {
  Draw draw(seed);
  config::GpuSpec base = config::load_gpu(gpu, kSmall);
  const std::vector<GpuParameter> all = config::parameters(base);
  int simulated = 0;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<std::string> drawn, settings = kSmall;
    for (std::size_t i = 0, count = 1 + draw.below(4); i < count; ++i) {
      const GpuParameter& parameter = all[draw.below(all.size())];
      if (parameter.key.starts_with("energy.") || parameter.key == "memory_size") continue;
      drawn.push_back(draw.setting(parameter));
    }
    settings.insert(settings.end(), drawn.begin(), drawn.end());
    std::string shown = gpu;
    for (const std::string& setting : drawn) shown += " " + setting;
    SCOPED_TRACE(shown);
    config::RunSpec spec;
    try {
      spec.gpu = config::load_gpu(gpu, settings);
    } catch (const UserError& error) {
      EXPECT_TRUE(names_one_of(error.what(), drawn)) << error.what();
      continue;
    }
    spec.scheduler = "gto";
    try {
      simulate_two_kernels(spec);
      ++simulated;
    } catch (const UserError& error) {
      EXPECT_TRUE(does_not_fit(error.what())) << error.what();
    }
  }
  EXPECT_GT(simulated, trials / 3);
}

}  // namespace

// tests/laws/parameters.csv has the range, the unit and the default of each, those of policies
// behind the policy's name. HEDDLE_WRITE_DOCS=1 build/bin/laws_test lists them anew.
TEST(ParameterRanges, AreThoseOfTheList) {
  std::string text;
  const auto add = [&](const std::string& name, const auto& p) {
    text += fmt::format("{};{};{};{}\n", name, p.range, p.unit, p.value);
  };
  for (const auto& p : config::list_parameters(config::load_gpu("gtx480"))) add(p.key, p);
  const auto add_policies = [&](const std::vector<policies::PolicyInfo>& all) {
    for (const auto& policy : all)
      for (const auto& p : policy.parameters) add(policy.name + ":" + p.name, p);
  };
  add_policies(sched::list_policies());
  add_policies(gpu::list_cta_policies());
  add_policies(gpu::list_share_policies());
  const std::string path = std::string(HEDDLE_SOURCE_DIR) + "/tests/laws/parameters.csv";
  if (std::getenv("HEDDLE_WRITE_DOCS")) std::ofstream(path) << text;
  EXPECT_EQ(text, read_file(path)) << "HEDDLE_WRITE_DOCS=1 build/bin/laws_test lists them anew";
}

TEST(ParameterRanges, AreWhatWorks) {
  for (const char* gpu : {"gtx480", "titanx", "qv100", "h200"}) draw_machines(gpu, 11, 40);
}

TEST(ParameterRanges, NameTheKeysThatDisagree) {
  const auto refusal = [](const std::vector<std::string>& settings) {
    return message_of([&] { config::load_gpu("gtx480", settings); }, "");
  };
  EXPECT_NE(
      refusal({"clusters=256"}).find("'256' is not allowed for clusters: a whole number, 1 to 192"),
      std::string::npos);
  EXPECT_NE(refusal({"clusters=100", "sms_per_cluster=2"})
                .find("clusters x sms_per_cluster = 100 x 2 = 200: a GPU has at most 192 SMs"),
            std::string::npos);
  EXPECT_NE(refusal({"sm.collectors.mem.units=64"}).find("an SM has at most 64 collectors"),
            std::string::npos);
  EXPECT_EQ(refusal({"sm.collectors.mem.units=64", "sm.collectors.sp.units=0",
                     "sm.collectors.sfu.units=0", "sm.collectors.generic.units=0"})
                .find("at most 64"),
            std::string::npos);
  EXPECT_NE(refusal({"memory.channels=64", "memory.slices_per_channel=4"})
                .find("memory.channels x memory.slices_per_channel"),
            std::string::npos);
  EXPECT_NE(refusal({"memory.l2.write=read_only"}).find("the L2 takes the stores"),
            std::string::npos);
  EXPECT_NE(refusal({"sm.l1d.miss_queue=1"}).find("sm.l1d.miss_queue: a whole number, 2 to 65536"),
            std::string::npos);
}

}  // namespace heddle::laws
