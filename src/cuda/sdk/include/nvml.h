// Refused where it is included, so that nothing is missed later.
#error "Heddle has no NVML: nvml.h cannot be used"
