// How often a password may be tried: for each network of callers (/24, /64) and account 3 in a minute, 5 in
// 10 minutes, 10 in an hour, and a ceiling for all together. Nobody is locked out: there is always a next
// try, from elsewhere at once, and the local socket asks for no password.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { LOGINS_MAX = 128 };

struct logins;
struct logins *logins_create(void); // NULL: out of memory
void logins_destroy(struct logins *logins);
// Takes a try: seconds until the next one if there is none now, else 0. address: as rate.h keeps it.
unsigned logins_try(struct logins *logins, const uint8_t address[16], const char *account, int64_t now_us);
// It was right: this network's tries for this account are whole again. Others' are not touched.
void logins_right(struct logins *logins, const uint8_t address[16], const char *account, int64_t now_us);
void logins_wrong(struct logins *logins, int64_t now_us);
