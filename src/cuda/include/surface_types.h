// Surfaces share their types with textures.
#pragma once

#include "texture_types.h"
