#include "drivers/usb_port.h"
#include <dirent.h>
#include <stdio.h>
#include <string.h>

const char *usb_devices = "/sys/bus/usb/devices";

static unsigned number_in(const char *devices, const char *entry, const char *file) {
    char path[400];
    unsigned value = 0;
    snprintf(path, sizeof path, "%.200s/%.64s/%s", devices, entry, file);
    FILE *in = fopen(path, "re");
    if (in && fscanf(in, "%u", &value) != 1)
        value = 0;
    if (in)
        fclose(in);
    return value;
}

bool usb_port_of(const char *devices, unsigned bus, unsigned address, char ret[32]) {
    DIR *folder = opendir(devices);
    bool found = false;
    for (struct dirent *entry; folder && !found && (entry = readdir(folder));) {
        const char *name = entry->d_name;
        if (name[0] < '0' || name[0] > '9' || strchr(name, ':') || strlen(name) >= 32)
            continue; // interfaces and root hubs
        found = number_in(devices, name, "busnum") == bus && number_in(devices, name, "devnum") == address;
        if (found)
            snprintf(ret, 32, "%.31s", name);
    }
    if (folder)
        closedir(folder);
    return found;
}

bool usb_port_find(const char *devices, const char *port, unsigned *ret_bus, unsigned *ret_address) {
    *ret_bus = number_in(devices, port, "busnum");
    *ret_address = number_in(devices, port, "devnum");
    return *ret_bus && *ret_address;
}

bool usb_port_ok(const char *text) {
    size_t n = strlen(text);
    return n > 0 && n < 32 && strspn(text, "0123456789-.") == n && text[0] != '.';
}
