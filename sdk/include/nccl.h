// Including this header is an error: Heddle does not have the library.
#error "Heddle has no NCCL: nccl.h cannot be used"
