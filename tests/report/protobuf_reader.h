// As much of protocol buffers as is needed to read a trace back: fields of varint and of
// length-delimited kind.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace heddle::test {

struct Field {
  int number = 0;
  std::uint64_t value = 0;  // a varint
  std::string_view bytes;   // otherwise
};

class ProtobufReader {
 public:
  explicit ProtobufReader(std::string_view bytes) : rest_(bytes) {}

  // All fields of the message. Throws when it is malformed.
  std::vector<Field> fields() {
    std::vector<Field> list;
    while (!rest_.empty()) {
      const std::uint64_t key = varint();
      Field field;
      field.number = static_cast<int>(key >> 3);
      if ((key & 7) == 0) {
        field.value = varint();
      } else if ((key & 7) == 2) {
        const std::uint64_t size = varint();
        if (size > rest_.size()) throw std::runtime_error("a field is longer than its message");
        field.bytes = rest_.substr(0, size);
        rest_.remove_prefix(size);
      } else {
        throw std::runtime_error("a field of unexpected kind");
      }
      list.push_back(field);
    }
    return list;
  }

 private:
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) throw std::runtime_error("a number is truncated");
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
    throw std::runtime_error("a number is too long");
  }

  std::string_view rest_;
};

}  // namespace heddle::test
