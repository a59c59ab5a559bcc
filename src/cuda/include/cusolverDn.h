// Refused where it is included, so that nothing is missed later.
#error "Heddle has no cuSOLVER: cusolverDn.h cannot be used"
