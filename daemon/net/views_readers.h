// Numbers of readers as text for Prometheus.
#pragma once
struct door;
char *views_readers_metrics(struct door *door); // malloc'd; NULL: out of memory
