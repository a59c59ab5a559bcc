// Hints for Heddle's policies in CUDA source. A GPU ignores them: they are PTX pragmas with unknown
// names.
//
//   heddlePsBegin(4);                       // groups of four warps
//   for (int k = 0; k < n; ++k) sum += a[k * width + column];
//   heddlePsEnd();
//
// Guide: docs/hints.md.
#ifndef HEDDLE_H
#define HEDDLE_H

#include "heddle/cta_mapping.h"

// Marks the loops between the two for the warp scheduler ps: a group of `warps` warps has high
// priority at a time. warps is a number from 1 to 1048576 without suffix, or a macro for one. Pairs
// nest; the inner pair decides.
#if defined(__CUDA_ARCH__)
#define HEDDLE_PRAGMA_(text) asm volatile(".pragma \"" text "\";")
#define HEDDLE_TEXT_(number) #number
#define heddlePsBegin(warps) HEDDLE_PRAGMA_("heddle_ps_begin " HEDDLE_TEXT_(warps))
#define heddlePsEnd() HEDDLE_PRAGMA_("heddle_ps_end")
// In a kernel: a CTA scheduler that maps CTAs uses this direction: x, y, none or auto.
#define heddleCtaDirection(direction) HEDDLE_PRAGMA_("heddle_cta_direction " #direction)
#else
#define heddlePsBegin(warps) ((void)0)
#define heddlePsEnd() ((void)0)
#define heddleCtaDirection(direction) ((void)0)
#endif

#endif
