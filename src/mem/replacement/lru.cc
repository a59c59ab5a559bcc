#include "mem/replacement/lru.h"

#include "mem/catalogue.h"

namespace heddle::mem {

ReplacementEntry lru() {
  return replacement_policy<Lru>("lru", "the line whose last use is longest ago", "-");
}

}  // namespace heddle::mem
