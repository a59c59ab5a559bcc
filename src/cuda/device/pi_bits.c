// libclc reduces large arguments of double trigonometry with this table: the first 1202 bits of 2/pi, lowest word first, zeros
// above. Its own copy ends where its sixteen-byte loads reach past the end; this one, which takes its place, is longer.
#include "device.h"

extern const __attribute__((address_space(4))) uint64 PIBITS_TBL[22];
const __attribute__((address_space(4))) uint64 PIBITS_TBL[22] = {
    0x7421580CC11BF1EDull, 0x4BA9AFED7EC47E35ull, 0xC5ECF41CE7DE294Aull, 0xA8B5D49EEB1FAF97ull,
    0x26DD3D18FD9A797Full, 0xB47DB4D9FB3C9F2Cull, 0x603FBCBC462D6829ull, 0xA0EC7FE25FFF7816ull,
    0xE7D272117E2EF7E4ull, 0xF904E64758E60D4Cull, 0x1213A671C09AD17Dull, 0x9CFBA208D7D4BAEDull,
    0x4873F877AC72C4A6ull, 0x4B801924BBA82746ull, 0x1586DC91B8E90937ull, 0x4107F9458EAF7AEFull,
    0x77036D8A5664F10Eull, 0x54A7F09D5F47D4D3ull, 0x00028BE60DB93910ull, 0x0000000000000000ull,
    0x0000000000000000ull, 0x0000000000000000ull};
