// Refused where it is included, so that nothing is missed later.
#error "Heddle has no cuDNN: cudnn.h cannot be used"
