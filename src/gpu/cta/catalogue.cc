#include "gpu/cta/catalogue.h"

namespace heddle::gpu {

// Each CTA scheduler is one file that defines one of these functions.
CtaEntry bcs();
CtaEntry clustered();
CtaEntry dyncta();
CtaEntry equalizer();
CtaEntry lcs();
CtaEntry mapped();
CtaEntry paver();
CtaEntry rr();

const std::vector<CtaEntry>& CtaEntry::catalogue() {
  static const std::vector<CtaEntry> entries = {
      rr(), mapped(), lcs(), bcs(), dyncta(), equalizer(), clustered(), paver(),
  };
  return entries;
}

}  // namespace heddle::gpu
