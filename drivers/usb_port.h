// USB devices by the port they are plugged into, `1-1.2` as in /sys/bus/usb/devices: numbers change with
// every plug, ports do not (B022, B027).
#pragma once
#include <stdbool.h>

extern const char *usb_devices; // that folder; a test has its own
bool usb_port_of(const char *devices, unsigned bus, unsigned address, char ret[32]);
bool usb_port_find(const char *devices, const char *port, unsigned *ret_bus, unsigned *ret_address);
bool usb_port_ok(const char *text); // digits, dots and dashes
