/* The mapping register of CTA schedulers (Liu, Liu and Wang, EPiC 2019): a program says before a
   launch along which direction CTAs share cache lines.

     heddleSetCtaMapping(heddleCtaMappingX);
     matmul<<<grid, block>>>(a, b, c, n);

   `heddle run --cta-scheduler mapped` then starts rows of CTAs on one SM. The register keeps its
   value until it is set again. On a GPU, and under other CTA schedulers, the call does nothing. */
#ifndef HEDDLE_CTA_MAPPING_H
#define HEDDLE_CTA_MAPPING_H

enum heddleCtaMapping {
  heddleCtaMappingNone = 0, /* the CTA scheduler decides */
  heddleCtaMappingX = 1,    /* CTAs of a row share lines */
  heddleCtaMappingY = 2     /* CTAs of a column share lines */
};

#ifdef __cplusplus
extern "C" {
#endif
/* Defined by Heddle's runtime library only. Returns 0, or 1 for another value. */
int heddleSetMappingRegister(int mapping) __attribute__((weak));
#ifdef __cplusplus
}
#endif

static inline void heddleSetCtaMapping(enum heddleCtaMapping mapping) {
  if (heddleSetMappingRegister) heddleSetMappingRegister((int)mapping);
}

#endif
