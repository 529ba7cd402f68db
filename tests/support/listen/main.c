// listen WAV: loudness of each frame of 20 ms, one a line: root mean square and highest sample. What a test
// of the narrator hears.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 44, FRAME_MS = 20 };

int main(int argc, char **argv) {
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    uint8_t head[HEADER];
    if (!file || fread(head, sizeof head, 1, file) != 1 || memcmp(head, "RIFF", 4) != 0 ||
        memcmp(head + 36, "data", 4) != 0 || head[22] != 1 || head[34] != 16) {
        fprintf(stderr, "listen: a WAVE file of 16 bit, mono\n");
        return 2;
    }
    uint32_t rate = head[24] | (uint32_t)head[25] << 8 | (uint32_t)head[26] << 16;
    size_t n = rate * FRAME_MS / 1000;
    uint8_t *bytes = malloc(2 * n);
    if (!bytes)
        abort();
    while (fread(bytes, 2, n, file) == n) {
        double sum = 0;
        int peak = 0;
        for (size_t i = 0; i < n; i++) {
            int x = (int16_t)(bytes[2 * i] | bytes[2 * i + 1] << 8);
            sum += (double)x * x;
            peak = abs(x) > peak ? abs(x) : peak;
        }
        printf("%.0f %d\n", sqrt(sum / (double)n), peak);
    }
    free(bytes);
    fclose(file);
    return 0;
}
