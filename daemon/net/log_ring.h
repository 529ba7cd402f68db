// The last lines of the log, for the dashboard. No line has a secret (core/log.h); what is said for debugging
// is not kept while a game runs, so that nobody reads the rhythm of the hands in it.
#pragma once
#include "engine/door.h"

enum { LOG_RING_LINES = 512, LOG_RING_TEXT = 240, LOG_RING_PAGE = 200 };

struct log_ring;
struct log_ring *log_ring_create(struct door *door); // listens to the log; NULL: out of memory
void log_ring_destroy(struct log_ring *ring);        // NULL allowed
