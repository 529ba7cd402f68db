// Shared by the two files of setup.
#pragma once
#include "setup.h"

// Each table's own game as `start` would begin it: refused here with its line, and noted where pads are
// wanting.
enum error_code setup__check_games(const struct config *config, struct setup *setup, struct error *err);
