#include "engine/observe.h"

static const char *const event_names[] = {[OBSERVE_EVENT_UNKNOWN] = "unknown",
#define X(name, wire) [OBSERVE_EVENT_##name] = #wire,
                                          OBSERVE_EVENT_MAP(X)
#undef X
};

const char *observe_event_name(enum observe_event_type type) {
    return (unsigned)type < OBSERVE_EVENT_TYPES ? event_names[type] : event_names[OBSERVE_EVENT_UNKNOWN];
}

const char *observe_fault_name(enum observe_fault fault) {
    static const char *const names[] = {
#define X(NAME, name) [OBSERVE_FAULT_##NAME] = #name,
        OBSERVE_FAULT_MAP(X)
#undef X
    };
    return fault < OBSERVE_FAULTS ? names[fault] : "unknown";
}
