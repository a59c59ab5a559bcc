// Refused where it is included, so that nothing is missed later.
#error "Heddle has no OpenGL: cudaGL.h cannot be used"
