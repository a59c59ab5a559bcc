// Including this header is an error: Heddle does not have the library.
#error "Heddle has no CUDPP: cudpp.h cannot be used"
