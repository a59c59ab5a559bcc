// Refused where it is included, so that nothing is missed later.
#error "Heddle has no NCCL: nccl.h cannot be used"
