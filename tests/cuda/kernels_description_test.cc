#include "cuda/kernels/description.h"

#include <gtest/gtest.h>

#include "base/output_file.h"
#include "base/temporary_folder.h"
#include "tests/error_message.h"

namespace heddle::cuda {
namespace {

class Description : public testing::Test {
 protected:
  Description() {
    write("k.ptx", "//");
    write_npy(folder_.file("x.npy"), ElementType::i32, {{2, 2}, false}, std::string(16, '\1'));
  }
  void write(const std::string& name, const std::string& text) const {
    write_file_atomically(folder_.file(name), text);
  }
  KernelDescription read(const std::string& text) const {
    write("kernel.toml", text);
    return read_kernel_description(folder_.path().string());
  }
  // Without the file's path.
  std::string refusal(const std::string& text) const {
    try {
      read(text);
    } catch (const UserError& error) {
      std::string message = error.what();
      const std::string folder = folder_.path().string() + "/";
      for (std::size_t at; (at = message.find(folder)) != std::string::npos;)
        message.erase(at, folder.size());
      return message;
    }
    return "accepted";
  }

  TemporaryFolder folder_;
};

const std::string kLaunch = "[[launches]]\nmodule = \"k.ptx\"\ngrid = 1\nblock = 1\n";

TEST_F(Description, BuffersAndLaunchesAreRead) {
  const KernelDescription read_one = read(R"(module = "k.ptx"
[buffers.x]
file = "x.npy"
expected = {fill = 3}
atol = 0.5
[buffers.y]
type = "f16"
shape = [2, 3]
fill = "random"
high = 8
save = "y.npy"
[[launches]]
kernel = "k"
grid = [4, 2]
block = 128
shared = 256
cooperative = true
arguments = ["y", {buffer = "x", offset = 4}, {f32 = 0.5}, {bytes = [1, 255]}, {i8 = -1}]
)");
  ASSERT_EQ(read_one.buffers.size(), 2u);
  const KernelBuffer& x = read_one.buffers[0];
  EXPECT_EQ(x.type, ElementType::i32);
  EXPECT_EQ(x.bytes(), 16u);
  EXPECT_EQ(x.expected->content.first, 3);
  EXPECT_EQ(x.expected->rtol, 0);  // of integers
  EXPECT_EQ(x.expected->atol, 0.5);
  EXPECT_EQ(read_one.buffers[1].save, folder_.file("y.npy"));
  ASSERT_EQ(read_one.launches.size(), 1u);
  const KernelLaunch& launch = read_one.launches[0];
  EXPECT_EQ(launch.grid, (Dim3{4, 2, 1}));
  EXPECT_EQ(launch.block, (Dim3{128, 1, 1}));
  EXPECT_EQ(launch.shared_bytes, 256u);
  EXPECT_TRUE(launch.cooperative);
  ASSERT_EQ(launch.arguments.size(), 5u);
  EXPECT_EQ(launch.arguments[0].buffer, 1u);
  EXPECT_EQ(launch.arguments[1].offset, 4u);
  EXPECT_EQ(launch.arguments[2].value, std::string("\0\0\0\x3F", 4));
  EXPECT_EQ(launch.arguments[3].value, "\1\xFF");
  EXPECT_EQ(launch.arguments[4].value, "\xFF");
  EXPECT_EQ(read_one.files,
            (std::vector<std::string>{folder_.file("kernel.toml"), folder_.file("x.npy"),
                                      folder_.file("k.ptx")}));
}

TEST_F(Description, MistakesAreRefusedWithTheirPlace) {
  EXPECT_EQ(refusal("a = \n").substr(0, 16), "kernel.toml:1:5:");
  EXPECT_EQ(refusal("modul = 1\n" + kLaunch),
            "kernel.toml:1:1: unknown key 'modul'; did you mean module?");
  EXPECT_EQ(refusal("module = \"k.ptx\"\n"),
            "kernel.toml:1:1: there are no launches: add [[launches]]");
  EXPECT_EQ(refusal("[[launches]]\ngrid = 1\nblock = 1\n"),
            "kernel.toml:1:1: module is missing: the file with the kernel's code");
  EXPECT_EQ(refusal("[[launches]]\nmodule = \"no.ptx\"\ngrid = 1\nblock = 1\n"),
            "kernel.toml:2:10: there is no module no.ptx");
  EXPECT_EQ(refusal("[[launches]]\nmodule = \"k.ptx\"\ngrid = 1\n"),
            "kernel.toml:1:1: block is missing");
  EXPECT_EQ(refusal("[[launches]]\nmodule = \"k.ptx\"\ngrid = [1, 0]\nblock = 1\n"),
            "kernel.toml:3:12: grid must be a whole number from 1 to 2147483647, or a list of at "
            "most 3");
  EXPECT_EQ(
      refusal(kLaunch + "cluster = 0\n"),
      "kernel.toml:5:11: cluster must be a whole number from 1 to 2147483647, or a list of at "
      "most 3");
  EXPECT_EQ(refusal(kLaunch + "arguments = [\"x\"]\n"),
            "kernel.toml:5:14: there is no buffer 'x'; there are no buffers");
  EXPECT_EQ(refusal(kLaunch + "arguments = [1]\n"),
            "kernel.toml:5:14: an argument is the name of a buffer, or a value with its type, as "
            "{i32 = 8}");
  EXPECT_EQ(refusal(kLaunch + "arguments = [{i8 = 128}]\n"),
            "kernel.toml:5:20: this is no value of i8");
  EXPECT_EQ(refusal(kLaunch + "arguments = [{int = 1}]\n").substr(0, 36),
            "kernel.toml:5:15: unknown key 'int';");
}

TEST_F(Description, BuffersThatDoNotFitTogetherAreRefused) {
  EXPECT_EQ(refusal("[buffers.x]\ntype = \"f32\"\n" + kLaunch),
            "kernel.toml:1:1: a buffer needs a file, or type and shape");
  EXPECT_EQ(refusal("[buffers.x]\nfile = \"x.npy\"\ntype = \"f32\"\n" + kLaunch),
            "kernel.toml:2:8: x.npy has elements of i32, the buffer of f32");
  EXPECT_EQ(refusal("[buffers.x]\nfile = \"x.npy\"\nseed = 1\n" + kLaunch),
            "kernel.toml:3:8: the file gives the elements: omit seed");
  EXPECT_EQ(refusal("[buffers.x]\ntype = \"i32\"\nshape = 4\nexpected = \"x.npy\"\n" + kLaunch),
            "kernel.toml:4:12: x.npy has shape (2, 2), the buffer (4,)");
  EXPECT_EQ(refusal("[buffers.x]\ntype = \"u8\"\nshape = 300\nfill = \"arange\"\n" + kLaunch),
            "kernel.toml:4:8: u8 does not hold every element of this fill");
  EXPECT_EQ(refusal("[buffers.x]\ntype = \"f32\"\nshape = 3\nfill = 1\nstep = 2\n" + kLaunch),
            "kernel.toml:5:8: this fill has no step");
  EXPECT_EQ(refusal("[buffers.x]\ntype = \"f32\"\nshape = 3\nrtol = 1\n" + kLaunch),
            "kernel.toml:4:8: rtol needs expected");
}

TEST_F(Description, NothingIsWrittenOutsideOfItsFolder) {
  for (const char* file : {"/tmp/x.npy", "../x.npy", "a/../../x.npy", "x.txt", "..", "."})
    EXPECT_EQ(refusal("[buffers.x]\ntype = \"f32\"\nshape = 3\nsave = \"" + std::string(file) +
                      "\"\n" + kLaunch),
              "kernel.toml:4:8: save must be a .npy file below the description's folder");
}

TEST_F(Description, ATritonCacheNeedsGridAndArguments) {
  write("k.json", R"({"name": "add", "num_warps": 2, "shared": 8, "signature": {"0": "i64"}})");
  EXPECT_TRUE(is_kernel_description(folder_.path().string()));
  const std::string message = message_of([&] { read_kernel_description(folder_.path().string()); });
  EXPECT_NE(message.find("but neither a grid nor arguments"), std::string::npos) << message;
  const KernelDescription made = read("[[launches]]\ngrid = 3\narguments = [7]\n");
  EXPECT_EQ(made.launches[0].kernel, "add");
  EXPECT_EQ(made.launches[0].block, (Dim3{64, 1, 1}));
  EXPECT_EQ(made.launches[0].shared_bytes, 8u);
  EXPECT_EQ(made.launches[0].arguments[0].value, std::string("\7\0\0\0\0\0\0\0", 8));
  EXPECT_EQ(refusal("[[launches]]\ngrid = 3\nblock = 32\n"),
            "kernel.toml:3:9: Triton's JSON says 64 threads: omit block");
}

TEST_F(Description, OtherFilesAreNone) {
  EXPECT_FALSE(is_kernel_description(folder_.path().string()));
  EXPECT_FALSE(is_kernel_description(folder_.file("k.ptx")));
  EXPECT_FALSE(is_kernel_description(folder_.file("none.toml")));
}

}  // namespace
}  // namespace heddle::cuda
