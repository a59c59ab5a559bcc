#include "exec/services/print.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>

namespace heddle::exec {
namespace {

// Memory of 256 bytes from address 0x1000 on.
class Memory {
 public:
  template <class T>
  Memory& put(T value) {
    next_ = (next_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    std::memcpy(bytes_.data() + next_, &value, sizeof value);
    next_ += sizeof value;
    return *this;
  }
  std::uint64_t text(const char* string, std::size_t at = 200) {
    std::strcpy(reinterpret_cast<char*>(bytes_.data()) + at, string);
    return 0x1000 + at;
  }
  std::string show(const std::string& format, int* arguments = nullptr) const {
    const ReadMemory read = [this](std::uint64_t address, void* to, std::uint32_t count) {
      if (address < 0x1000 || address + count > 0x1000 + bytes_.size()) return false;
      std::memcpy(to, bytes_.data() + (address - 0x1000), count);
      return true;
    };
    const auto printed = print(read, format, 0x1000);
    if (printed && arguments) *arguments = printed->arguments;
    return printed ? printed->text : "unreadable";
  }

 private:
  std::array<std::uint8_t, 256> bytes_{};
  std::size_t next_ = 0;
};

TEST(Print, ArgumentsAreAlignedToTheirSize) {
  int arguments = 0;
  EXPECT_EQ(Memory().put(1).put(-2LL).put(3).put(2.5).show("%d %lld %d %f", &arguments),
            "1 -2 3 2.500000");
  EXPECT_EQ(arguments, 4);
}

TEST(Print, ConversionsAreTheHosts) {
  EXPECT_EQ(Memory().put(255).put(255).put(255u).put(8).put('A').show("%x|%#X|%u|%o|%c"),
            "ff|0XFF|255|10|A");
  EXPECT_EQ(Memory().put(1.5).put(1e10).put(0.1).put(1.0).show("%8.3f|%e|%g|%a"),
            "   1.500|1.000000e+10|0.1|0x1p+0");
  EXPECT_EQ(Memory().put(7).put(7).put(7).put(-7).show("%5d|%-5d|%05d|%+d"),
            "    7|7    |00007|-7");
  EXPECT_EQ(Memory().put(0x12345).put(0x1ff).show("%hx|%hhu"), "2345|255");
  EXPECT_EQ(Memory().put(0x1234ULL).put(0ULL).show("%p %p"), "0x1234 (nil)");
  EXPECT_EQ(Memory().put(~0ULL).put(~0ULL).put(5ULL).show("%lu %llx %zu"),
            "18446744073709551615 ffffffffffffffff 5");
  EXPECT_EQ(Memory().put(6).put(2).put(3.14159).put(-4).put(9).show("%*.*f|%*d"), "  3.14|9   ");
}

TEST(Print, StringsComeFromMemory) {
  Memory memory;
  const std::uint64_t hello = memory.text("hello");
  EXPECT_EQ(memory.put(hello).put(hello).put(std::uint64_t{0}).show("%s|%-7.3s|%s"),
            "hello|hel    |(null)");
  EXPECT_EQ(Memory().put(std::uint64_t{5}).show("%s"), "unreadable");
}

TEST(Print, TextThatIsNoConversionIsCopied) {
  EXPECT_EQ(Memory().show("100%% %y 5%"), "100% %y 5%");
  EXPECT_EQ(Memory().show(""), "");
}

}  // namespace
}  // namespace heddle::exec
