// The C++ interface of the NVIDIA tools extension, without a tool.
#pragma once

#include "nvToolsExt.h"

namespace nvtx3 {

struct domain {
  struct global {
    static constexpr const char* name = "";
  };
};
class color {
 public:
  constexpr explicit color(uint32_t) noexcept {}
};
struct rgb {
  constexpr rgb(unsigned, unsigned, unsigned) noexcept {}
};
struct argb {
  constexpr argb(unsigned, unsigned, unsigned, unsigned) noexcept {}
};
class category {
 public:
  constexpr explicit category(uint32_t) noexcept {}
};
class message {
 public:
  constexpr message(const char*) noexcept {}
};
struct payload {
  template <class T>
  constexpr explicit payload(T) noexcept {}
};
class event_attributes {
 public:
  template <class... Parts>
  constexpr explicit event_attributes(const Parts&...) noexcept {}
};
template <class Domain = domain::global>
class scoped_range_in {
 public:
  template <class... Parts>
  explicit scoped_range_in(const Parts&...) noexcept {}
  ~scoped_range_in() {}
};
using scoped_range = scoped_range_in<>;
template <class Domain = domain::global>
class unique_range_in {
 public:
  template <class... Parts>
  explicit unique_range_in(const Parts&...) noexcept {}
  ~unique_range_in() {}
};
using unique_range = unique_range_in<>;
template <class Domain = domain::global, class... Parts>
void mark_in(const Parts&...) noexcept {}
template <class... Parts>
void mark(const Parts&...) noexcept {}

}  // namespace nvtx3

#define NVTX3_FUNC_RANGE() ((void)0)
#define NVTX3_FUNC_RANGE_IN(domain) ((void)0)
