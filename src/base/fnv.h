// FNV-1a, a hash that is the same on every machine (draft-eastlake-fnv). Not for secrets.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle {

template <class Word, Word kStart, Word kPrime>
class Fnv {
 public:
  void add(char c) { value_ = (value_ ^ static_cast<unsigned char>(c)) * kPrime; }
  void add(std::string_view text) {
    for (const char c : text) add(c);
  }
  Word value() const { return value_; }

 private:
  Word value_ = kStart;
};

__extension__ using Word128 = unsigned __int128;
using Fnv64 = Fnv<std::uint64_t, 0xcbf29ce484222325, 0x100000001b3>;
using Fnv128 = Fnv<Word128, (Word128{0x6c62272e07bb0142} << 64) + 0x62b821756295c58d,
                   (Word128{1} << 88) + 0x13b>;

inline std::uint64_t fnv64(std::string_view text) {
  Fnv64 hash;
  hash.add(text);
  return hash.value();
}

}  // namespace heddle
