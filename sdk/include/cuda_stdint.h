// Includes <stdint.h>.
#pragma once

#include <stdint.h>
