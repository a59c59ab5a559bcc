// Refused where it is included, so that nothing is missed later.
#error "Heddle has no cuBLAS: cublas.h cannot be used"
