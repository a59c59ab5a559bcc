// Every case of images/ on Heddle, compared with the formulas of the guide.
#include <gtest/gtest.h>

#include <cstring>

#include "exec/state/launch.h"
#include "exec/state/texture.h"
#include "ptx/module.h"
#include "tests/conformance/images.h"

namespace heddle::conformance {
namespace {

const std::string kImages = std::string(HEDDLE_SOURCE_DIR) + "/tests/conformance/images";

exec::AddressMode address_mode(const std::string& name) {
  return name == "wrap"     ? exec::AddressMode::wrap
         : name == "mirror" ? exec::AddressMode::mirror
         : name == "border" ? exec::AddressMode::border
                            : exec::AddressMode::clamp;
}

struct Outcome {
  std::vector<ImageResult> results;
  std::vector<std::uint8_t> after;
};

class ImageBench {
 public:
  Outcome run(const ImageCase& c) {
    exec::TextureTable table;
    const std::uint64_t handle = table.add(texture(c));
    const Address in = memory_.allocate(kImageThreads * 64, "operands"),
                  out = memory_.allocate(kImageThreads * 16, "results");
    const auto operands = image_operands(c);
    std::memcpy(memory_.host(in), operands.data(), kImageThreads * 64);
    const ptx::Module module = ptx::Module::parse(image_module(c), c.place);
    const ptx::Kernel kernel = module.lower("k", {});
    exec::Launch launch;
    launch.kernel = &kernel;
    launch.grid = {1, 1, 1};
    launch.block = {static_cast<std::uint32_t>(kImageThreads), 1, 1};
    launch.textures = &table;
    const std::uint64_t parameters[] = {handle, in.value, out.value};
    launch.parameters.resize(sizeof parameters);
    std::memcpy(launch.parameters.data(), parameters, sizeof parameters);
    exec::run_functionally(launch, memory_, {});
    Outcome outcome;
    outcome.results.resize(kImageThreads);
    std::memcpy(outcome.results.data(), memory_.host(out), kImageThreads * 16);
    outcome.after.resize(extent_of(c, 0).texels() * c.texel_bytes());
    std::memcpy(outcome.after.data(), memory_.host(base_), outcome.after.size());
    return outcome;
  }

 private:
  exec::TextureImage image(const ImageCase& c, unsigned level, Address base) const {
    const Extent e = extent_of(c, level);
    exec::TextureImage i;
    i.base = base;
    i.format.kind = c.kind == "f"   ? exec::ChannelKind::floating
                    : c.kind == "s" ? exec::ChannelKind::signed_integer
                                    : exec::ChannelKind::unsigned_integer;
    i.format.bits = static_cast<std::uint8_t>(c.bits),
    i.format.channels = static_cast<std::uint8_t>(c.channels);
    i.dimensions = static_cast<std::uint8_t>(c.dimensions()), i.layered = c.layered(),
    i.cube = c.cube();
    i.width = e.width, i.height = e.height, i.depth = e.depth, i.layers = e.layers;
    i.pitch_bytes = std::uint64_t{e.width} * c.texel_bytes(),
    i.slice_bytes = i.pitch_bytes * e.height, i.layer_bytes = i.slice_bytes * e.depth;
    return i;
  }
  exec::Texture texture(const ImageCase& c) {
    std::vector<std::size_t> starts;
    std::vector<std::uint8_t> all;
    for (unsigned l = 0; l < c.levels; ++l) {
      starts.push_back(all.size());
      const auto bytes = image_bytes(c, l);
      all.insert(all.end(), bytes.begin(), bytes.end());
      all.resize((all.size() + 255) / 256 * 256);
    }
    base_ = memory_.allocate(all.size(), "image");
    std::memcpy(memory_.host(base_), all.data(), all.size());
    exec::Texture t;
    t.kind = c.is_surface() ? exec::HandleKind::surface : exec::HandleKind::texture;
    t.bound = true;
    t.image = image(c, 0, base_);
    for (unsigned l = 1; l < c.levels; ++l) t.smaller.push_back(image(c, l, base_ + starts[l]));
    t.sampling.address.fill(address_mode(c.address));
    t.sampling.linear_filter = c.linear, t.sampling.normalized_coordinates = c.normalized,
    t.sampling.normalized_read = c.fraction;
    t.sampling.blends_levels = c.blends, t.sampling.most_level = 99;
    return t;
  }

  exec::GlobalMemory memory_{std::uint64_t{64} << 20};
  Address base_;
};

class Images : public testing::TestWithParam<std::string> {};

TEST_P(Images, AgreeWithTheGuide) {
  const auto cases = read_images(kImages, GetParam());
  ASSERT_FALSE(cases.empty());
  RecordProperty("cases", static_cast<int>(cases.size()));
  std::string differences;
  for (const ImageCase& c : cases) {
    ImageBench bench;
    const Outcome outcome = bench.run(c);
    differences += image_differences(c, outcome.results, outcome.after, false);
  }
  EXPECT_EQ(differences, "");
}
INSTANTIATE_TEST_SUITE_P(Families, Images, testing::ValuesIn(image_families()),
                         [](const auto& family) { return family.param; });

TEST(ImageCases, AWrongResultIsDetected) {
  const auto cases = read_images(kImages, "textures");
  ImageBench bench;
  Outcome outcome = bench.run(cases.front());
  EXPECT_EQ(image_differences(cases.front(), outcome.results, outcome.after, false), "");
  outcome.results[70][1] ^= 1 << 20;
  EXPECT_NE(
      image_differences(cases.front(), outcome.results, outcome.after, false).find("1 of 256"),
      std::string::npos);
  outcome.after[0] ^= 1;
  EXPECT_NE(image_differences(cases.front(), outcome.results, outcome.after, false)
                .find("another afterwards"),
            std::string::npos);
}

}  // namespace
}  // namespace heddle::conformance
