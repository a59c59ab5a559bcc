#include "cuda/kernels/npy.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/diagnostics.h"
#include "base/temporary_folder.h"

namespace heddle::cuda {
namespace {

class Npy : public testing::Test {
 protected:
  std::string write(const std::string& header, const std::string& data, char version = 1) const {
    std::string bytes = "\x93NUMPY";
    bytes += {version, '\0', static_cast<char>(header.size() & 0xFF),
              static_cast<char>(header.size() >> 8)};
    if (version > 1) bytes += std::string(2, '\0');
    std::ofstream(path_, std::ios::binary) << bytes << header << data;
    return path_;
  }
  std::string refusal(const std::string& header, const std::string& data = "") const {
    try {
      read_npy_header(write(header, data));
    } catch (const UserError& error) {
      const std::string message = error.what();
      EXPECT_TRUE(message.starts_with(path_ + ": ")) << message;
      return message.substr(path_.size() + 2);
    }
    return "accepted";
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("a.npy");
};

TEST_F(Npy, WhatIsWrittenIsRead) {
  const Shape shape{{2, 3}, true};
  write_npy(path_, ElementType::i16, shape, "abcdefghijkl");
  const NpyHeader header = read_npy_header(path_);
  EXPECT_EQ(header.type, ElementType::i16);
  EXPECT_EQ(header.shape, shape);
  EXPECT_EQ(header.data_offset % 64, 0u);
  EXPECT_EQ(read_npy_data(path_, header), "abcdefghijkl");
}

// numpy 1 and 2, with and without the comma at the end; version 2 has a longer length.
TEST_F(Npy, HeadersOfNumpyAreRead) {
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }    \n";
  EXPECT_EQ(read_npy_header(write(header, "1234")).shape, (Shape{{1}, false}));
  EXPECT_EQ(read_npy_header(write(header, "1234", 2)).type, ElementType::f32);
  const std::string scalar = "{\"shape\": (), \"fortran_order\": True, \"descr\": \"|u1\"}";
  EXPECT_EQ(read_npy_header(write(scalar, "1")).shape, (Shape{{}, true}));
}

TEST_F(Npy, OtherFilesAreRefused) {
  const auto header = [](const std::string& descr, const std::string& shape) {
    return "{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + "}";
  };
  EXPECT_EQ(refusal(header("'<f4'", "(2,)"), "1234"),
            "it has 4 bytes of data; 2 elements of f32 in shape (2,) are 8");
  EXPECT_EQ(refusal(header("'>f4'", "(1,)"), "1234"),
            "its elements are big-endian; GPUs are little-endian");
  EXPECT_EQ(refusal(header("'<c8'", "(1,)"), "12345678"),
            "its elements are of numpy's type '<c8'; supported: bool, i8, i16, i32, i64, u8, u16, "
            "u32, u64, f16, bf16, f32, f64");
  EXPECT_EQ(refusal(header("[('a', '<f4')]", "(1,)"), "1234"),
            "its elements are structures, which buffers do not have");
  EXPECT_EQ(refusal(header("'<f4'", "(-1,)")), "its shape is no list of at most 32 sizes");
  EXPECT_EQ(refusal(header("'<f4'", "(1")), "its shape is no list of sizes");
  EXPECT_EQ(refusal("{'descr': '<f4'}"), "its header lacks descr, fortran_order or shape");
  EXPECT_EQ(refusal("{'descr': '<f4', 'descr': '<f4'}"), "its header has an unexpected key");
  EXPECT_EQ(refusal("{'descr': '<f4"), "its header ends inside a text");
  EXPECT_EQ(refusal("{'fortran_order': Maybe}"), "its fortran_order is neither True nor False");
  EXPECT_EQ(refusal("x"), "this is no .npy file of numpy");  // shorter than a beginning
  EXPECT_EQ(refusal("no dictionary"), "its header is no dictionary");
  EXPECT_THROW(read_npy_header(write(header("'<f4'", "(1,)"), "1234", 4)), UserError);
  EXPECT_THROW(read_npy_header(folder_.file("none.npy")), UserError);
}

TEST(Shapes, ProductsBeyondAnyMemoryAreRefused) {
  EXPECT_EQ((Shape{{3, 4}, false}.elements()), 12u);
  EXPECT_EQ((Shape{{3, 0}, false}.elements()), 0u);
  EXPECT_FALSE((Shape{{std::uint64_t{1} << 40, std::uint64_t{1} << 40}, false}.product()));
  EXPECT_FALSE((Shape{{0, ~std::uint64_t{0}, ~std::uint64_t{0}}, false}.product()));
}

TEST(Shapes, ThePlaceOfAnElementFollowsTheOrderInMemory) {
  EXPECT_EQ((Shape{{2, 3}, false}.place(4)), "[1, 1]");
  EXPECT_EQ((Shape{{2, 3}, true}.place(4)), "[0, 2]");
  EXPECT_EQ(Shape{}.place(0), "[]");
}

}  // namespace
}  // namespace heddle::cuda
