// Refused where it is included, so that nothing is missed later.
#error "Heddle has no cuRAND's host library: curand.h cannot be used"
