// Small tools of the benchmarks: time, percentiles, one JSON line of figures. Reports, never judges.
#pragma once
#include <stddef.h>
#include <stdint.h>

int64_t measure_now_ns(void);
// Sorts in place; p in [0, 1].
int64_t measure_percentile(int64_t *samples, size_t n, double p);
// {"name":"...","n":..,"p50_us":..,"p99_us":..,"p999_us":..,"max_us":..,"over_20ms":..}
void measure_print_latency(const char *name, int64_t *samples, size_t n);
void measure_print_rate(const char *name, double per_second);
