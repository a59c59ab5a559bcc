#pragma once

int answer();  // computed by a kernel
