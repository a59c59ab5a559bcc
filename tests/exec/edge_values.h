// Bits at which results of integers, floats and doubles change.
#pragma once

#include <cstdint>

namespace heddle::exec {

inline constexpr std::uint64_t kIntegerEdges[] = {
    0x00000000, 0x00000001, 0x00000002, 0x0000001f, 0x00000020, 0x00000021, 0x0000003f,
    0x00000040, 0x00007fff, 0x00008000, 0x0000ffff, 0x7fffffff, 0x80000000, 0xffffffff,
    1ull << 32, ~0ull >> 1, 1ull << 63, ~0ull,      ~0ull << 32};
inline constexpr std::uint32_t kFloatEdges[] = {
    0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000,
    0xffc12345, 0x7f812345, 1,          0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff,
    0xff7fffff, 0x3f000000, 0x40200000, 0x4f000000, 0x5f000000, 0x7e800000};
inline constexpr std::uint64_t kDoubleEdges[] = {
    0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000,
    0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0xfff8000000012345,
    0x0000000000000001, 0x8000000000000001, 0x0010000000000000, 0x7fefffffffffffff,
    0x3fe0000000000000, 0x4004000000000000, 0x41e0000000000000, 0x43e0000000000000,
    0x380fffffffffffff};

}  // namespace heddle::exec
