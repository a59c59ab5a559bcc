// Refused where it is included, so that nothing is missed later.
#error "Heddle has no cuFFT: cufftw.h cannot be used"
