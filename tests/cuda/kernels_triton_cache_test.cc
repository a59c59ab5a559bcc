#include "cuda/kernels/triton_cache.h"

#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "base/output_file.h"
#include "base/temporary_folder.h"

namespace heddle::cuda {
namespace {

class TritonCache : public testing::Test {
 protected:
  TritonCache() { write("add.ptx", "//"); }
  void write(const std::string& name, const std::string& text) const {
    write_file_atomically(folder_.file(name), text);
  }
  TritonKernel read(const std::string& json) const {
    write("add.json", json);
    return read_triton_cache(folder());
  }
  std::string refusal(const std::string& json) const {
    try {
      read(json);
    } catch (const UserError& error) {
      const std::string message = error.what();
      const std::string file = folder_.file("add.json") + ": ";
      return message.starts_with(file) ? message.substr(file.size()) : message;
    }
    return "accepted";
  }
  std::string folder() const { return folder_.path().string(); }

  TemporaryFolder folder_;
};

TEST_F(TritonCache, TheJsonSaysHowTheKernelIsLaunched) {
  write("__grp__add.json", R"({"child_paths": {}})");
  const TritonKernel kernel = read(
      R"({"name": "add_kernel", "num_warps": 8, "shared": 1024, "num_ctas": 1,
          "cluster_dims": [1, 1, 1], "global_scratch_size": 16, "launch_cooperative_grid": true})");
  EXPECT_EQ(kernel.name, "add_kernel");
  EXPECT_EQ(kernel.ptx, folder_.file("add.ptx"));
  EXPECT_EQ(kernel.cubin, "");
  EXPECT_EQ(kernel.threads, 256u);
  EXPECT_EQ(kernel.shared_bytes, 1024u);
  EXPECT_EQ(kernel.global_scratch, 16u);
  EXPECT_TRUE(kernel.cooperative);
  EXPECT_TRUE(kernel.signature.empty());
}

TEST_F(TritonCache, ASignatureGivesTheTypesOfScalars) {
  const TritonKernel kernel = read(
      R"({"signature": {"0": "*fp16", "1": "i32", "2": "fp32", "3": "constexpr", "10": "i1"}})");
  EXPECT_EQ(kernel.signature,
            (std::vector<std::optional<ElementType>>{std::nullopt, ElementType::i32,
                                                     ElementType::f32, ElementType::boolean}));
  EXPECT_TRUE(read(R"({"signature": {"x": "*fp16"}})").signature.empty());  // the order is unknown
}

TEST_F(TritonCache, WhatCannotBeLaunchedIsRefused) {
  EXPECT_EQ(refusal("[]"), "this is no JSON of Triton's cache");
  EXPECT_EQ(refusal("{"), "this is no JSON of Triton's cache");
  EXPECT_EQ(refusal(R"({"num_warps": -1})"), "num_warps must be a whole number from 0 to 32");
  EXPECT_EQ(refusal(R"({"shared": 1e3})"), "shared must be a whole number from 0 to 1073741824");
  EXPECT_EQ(refusal(R"({"signature": {"0": "fp3"}})"), "its signature has the unknown type 'f3'");
  const std::string clusters = "the kernel needs thread block clusters, which are not supported";
  EXPECT_EQ(refusal(R"({"num_ctas": 2})"), clusters);
  EXPECT_EQ(refusal(R"({"cluster_dims": [1, 2, 1]})"), clusters);
}

TEST_F(TritonCache, OfSeveralKernelsOneMustBeChosen) {
  EXPECT_FALSE(is_triton_cache(folder()));
  write("add.json", "{}");
  EXPECT_TRUE(is_triton_cache(folder()));
  write("mul.ptx", "//");
  write("mul.json", "{}");
  EXPECT_EQ(refusal("{}"), folder() + " has several kernels: give one of add.json, mul.json");
  EXPECT_EQ(read_triton_cache(folder_.file("mul.json")).name, "mul");
}

}  // namespace
}  // namespace heddle::cuda
