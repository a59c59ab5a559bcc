// Refused where it is included, so that nothing is missed later.
#error "Heddle has no cuBLAS: cublas_v2.h cannot be used"
