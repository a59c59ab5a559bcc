// An allocator for large blocks of over-aligned objects that are allocated again and again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

namespace heddle {

// malloc() of glibc 2.36 does not use a freed block again for an aligned one of the same size when
// anything lies in it meanwhile, so memory grows with every launch. A plain block with room for the
// alignment is used again.
template <class T>
struct ReusedMemory {
  using value_type = T;

  ReusedMemory() = default;
  template <class U>
  ReusedMemory(const ReusedMemory<U>&) {}

  T* allocate(std::size_t count) {
    static_assert(alignof(T) >= sizeof(void*));
    void* const block = ::operator new(count * sizeof(T) + alignof(T));
    // At least one word lies before the objects, because blocks are aligned to 16 bytes.
    const auto place = (reinterpret_cast<std::uintptr_t>(block) / alignof(T) + 1) * alignof(T);
    reinterpret_cast<void**>(place)[-1] = block;
    return reinterpret_cast<T*>(place);
  }
  void deallocate(T* objects, std::size_t) noexcept {
    ::operator delete(reinterpret_cast<void**>(objects)[-1]);
  }
  bool operator==(const ReusedMemory&) const { return true; }
};

}  // namespace heddle
