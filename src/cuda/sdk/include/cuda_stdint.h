// The integers of <stdint.h>.
#pragma once

#include <stdint.h>
