// Including this header is an error: Heddle does not have the library.
#error "Heddle has no NPP: npp.h cannot be used"
