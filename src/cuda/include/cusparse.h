// Refused where it is included, so that nothing is missed later.
#error "Heddle has no cuSPARSE: cusparse.h cannot be used"
