// How often a pad misses what lies on it, and how long a run of misses must be on such a pad (README.md).
#pragma once
#include "board/pad.h"

// A scan that showed a resting tag, and `misses` before it that healed.
void pad__rate_seen(struct pad *pad, unsigned misses);
