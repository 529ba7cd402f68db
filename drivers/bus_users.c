#include "drivers/bus_users.h"
#include <string.h>

// /dev/spidev0.1 -> the bus is what stands before the dot.
static size_t bus_of(const struct bus_user *user) {
    const char *dot = user->kind == BUS_SPI ? strrchr(user->path, '.') : NULL;
    return dot ? (size_t)(dot - user->path) : strlen(user->path);
}

static bool same_bus(const struct bus_user *a, const struct bus_user *b) {
    return a->kind == b->kind && bus_of(a) == bus_of(b) && strncmp(a->path, b->path, bus_of(a)) == 0;
}

static const char *reason(const struct bus_user *a, const struct bus_user *b) {
    static const char *const twice[] = {[BUS_SERIAL] = "the same port",
                                        [BUS_SPI] = "the same chip select",
                                        [BUS_I2C] = "the same I2C address",
                                        [BUS_GPIO] = "the same GPIO line"};
    if (!same_bus(a, b))
        return NULL;
    if (a->kind == BUS_SPI && a->lamp != b->lamp)
        return "one SPI bus, and lamps drive it without regard for readers: move the lamp to another bus";
    bool same = strcmp(a->path, b->path) == 0 && (a->kind == BUS_SPI || a->number == b->number);
    // Chips with select lines of their own share the device; there the lines are compared.
    if (a->kind == BUS_SPI && a->number < 0 && b->number < 0)
        return NULL;
    return same ? twice[a->kind] : NULL;
}

enum error_code bus_users_check(const struct bus_user *users, size_t n, struct error *err) {
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            const char *why = reason(&users[j], &users[i]);
            if (why)
                return error_set(err, ERROR_INVALID, users[i].where,
                                 "%s and %s cannot be together: %s (%.60s)", users[j].who, users[i].who, why,
                                 users[i].path);
        }
    }
    return ERROR_OK;
}
