// Refused where it is included, so that nothing is missed later.
#error "Heddle has no OpenGL: cuda_gl_interop.h cannot be used"
