// Including this header is an error: Heddle does not have the library.
#error "Heddle has no cuFFT: cufftw.h cannot be used"
