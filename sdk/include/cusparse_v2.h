// cuSPARSE is not part of Heddle.
#pragma once

#include "cusparse.h"
