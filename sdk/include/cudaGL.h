// Including this header is an error: Heddle does not have the library.
#error "Heddle has no OpenGL: cudaGL.h cannot be used"
