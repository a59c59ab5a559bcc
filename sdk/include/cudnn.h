// Including this header is an error: Heddle does not have the library.
#error "Heddle has no cuDNN: cudnn.h cannot be used"
