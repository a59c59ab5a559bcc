#include "lab/picture_file.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/diagnostics.h"
#include "lab/process.h"
#include "tests/error_message.h"

namespace heddle::lab {
namespace {

constexpr const char* kDrawing =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"80\" height=\"40\">"
    "<text x=\"5\" y=\"20\">gto</text></svg>\n";

std::string refusal_of(const std::string& path) {
  return message_of([&] { require_picture_file("--plot", path); }, "");
}

TEST(PictureFile, IsWrittenInTheFormatOfItsName) {
  const TemporaryFolder folder;
  for (const auto& [ending, start] :
       {std::pair{".svg", "<svg"}, {".pdf", "%PDF-"}, {".png", "\x89PNG"}}) {
    const std::string path = folder.file("picture") + ending;
    require_picture_file("--plot", path);
    write_picture(path, kDrawing);
    EXPECT_TRUE(read_file(path).starts_with(start)) << path;
  }
}

TEST(PictureFile, OfPdfHasTextThatCanBeSelected) {
  const TemporaryFolder folder;
  const std::string path = folder.file("picture.pdf");
  write_picture(path, kDrawing);
  EXPECT_NE(read_file(path).find("/ToUnicode"), std::string::npos);
}

TEST(PictureFile, OfAnUnknownFormatIsRefused) {
  EXPECT_EQ(refusal_of("x.eps"), "--plot x.eps: the name must end in .svg, .pdf or .png");
}

TEST(PictureFile, NeedsTheConverterForPdfOnly) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nonexistent", 1);
  EXPECT_NE(refusal_of("x.pdf").find("apt-get install librsvg2-bin"), std::string::npos);
  EXPECT_EQ(refusal_of("x.svg"), "");
  setenv("PATH", path.c_str(), 1);
}

TEST(PictureFile, ThatCannotBeMadeSaysWhy) {
  const TemporaryFolder folder;
  EXPECT_THROW(write_picture(folder.file("x.pdf"), "no drawing"), UserError);
}

}  // namespace
}  // namespace heddle::lab
