// Refused where it is included, so that nothing is missed later.
#error "Heddle has no NVRTC: nvrtc.h cannot be used"
