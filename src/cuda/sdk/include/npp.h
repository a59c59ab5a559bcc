// Refused where it is included, so that nothing is missed later.
#error "Heddle has no NPP: npp.h cannot be used"
