#include "perf/measure.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int64_t measure_now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int compare(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int64_t measure_percentile(int64_t *samples, size_t n, double p) {
    if (!n)
        return 0;
    qsort(samples, n, sizeof *samples, compare);
    size_t i = (size_t)(p * (double)(n - 1) + 0.5);
    return samples[i < n ? i : n - 1];
}

void measure_print_latency(const char *name, int64_t *samples, size_t n) {
    size_t slow = 0;
    for (size_t i = 0; i < n; i++)
        slow += samples[i] > 20000000;
    double p50 = (double)measure_percentile(samples, n, 0.5),
           p99 = (double)measure_percentile(samples, n, 0.99),
           p999 = (double)measure_percentile(samples, n, 0.999),
           max = (double)measure_percentile(samples, n, 1);
    printf(
        "{\"name\":\"%s\",\"n\":%zu,\"p50_us\":%.1f,\"p99_us\":%.1f,\"p999_us\":%.1f,\"max_us\":%.1f,"
        "\"over_20ms\":%zu}\n",
        name, n, p50 / 1e3, p99 / 1e3, p999 / 1e3, max / 1e3, slow);
    fflush(stdout);
}

void measure_print_rate(const char *name, double per_second) {
    printf("{\"name\":\"%s\",\"per_second\":%.1f}\n", name, per_second);
    fflush(stdout);
}
