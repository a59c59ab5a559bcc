// Including this header is an error: Heddle does not have the library.
#error "Heddle has no NVML: nvml.h cannot be used"
