// Refused where it is included, so that nothing is missed later.
#error "Heddle has no CUDPP: cudpp.h cannot be used"
