// A strip on the SPI bus of a reader would disturb it with every frame (B035). The readers are in the
// daemon's configuration, if it runs on this machine.
#include "lamp.h"
#include <glob.h>
#include <stdio.h>
#include <string.h>

enum { LINE_LENGTH = 512 };

// The bus of "/dev/spidev0.1" is "/dev/spidev0."; false: another kind of device.
static bool bus_of(const char *device, char ret[32]) {
    const char *dot = strrchr(device, '.');
    if (strncmp(device, "/dev/spidev", 11) != 0 || !dot || dot - device >= 30)
        return false;
    snprintf(ret, 32, "%.*s", (int)(dot - device + 1), device);
    return true;
}

// The first reader of a file that names the bus.
static bool find_reader(const char *path, const char *bus, char ret_reader[33]) {
    char line[LINE_LENGTH], section[33] = "";
    bool found = false;
    FILE *file = fopen(path, "re");
    while (file && !found && fgets(line, sizeof line, file)) {
        if (*line == '[' && sscanf(line, "[reader %32[a-z0-9-]]", section) != 1)
            *section = '\0';
        found = *section && *line != '#' && *line != ';' && strstr(line, bus) != NULL;
    }
    if (file)
        fclose(file);
    if (found)
        snprintf(ret_reader, 33, "%s", section);
    return found;
}

enum error_code lamp_bus_check(const struct lamp *lamp, const char *device, struct error *err) {
    const char *readers = config_text(lamp->conf, "readers");
    char bus[32], pattern[512], reader[33];
    glob_t more = {0};
    if (!readers || !*readers || !bus_of(device, bus))
        return ERROR_OK;
    snprintf(pattern, sizeof pattern, "%s.d/*.conf", readers);
    bool found = find_reader(readers, bus, reader);
    if (glob(pattern, 0, NULL, &more) == 0)
        for (size_t i = 0; !found && i < more.gl_pathc; i++)
            found = find_reader(more.gl_pathv[i], bus, reader);
    globfree(&more);
    if (found)
        return error_set(err, ERROR_INVALID, config_key_where(lamp->conf, "device"),
                         "lamp %s and reader %s hang on one SPI bus (%s*); give the strip a bus of its own",
                         lamp->name, reader, bus);
    return ERROR_OK;
}
