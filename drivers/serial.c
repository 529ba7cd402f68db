#include "drivers/serial.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/serial.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

static const struct {
    int baud;
    speed_t speed;
} speeds[] = {
    {9600, B9600},     {19200, B19200},   {38400, B38400},   {57600, B57600},
    {115200, B115200}, {230400, B230400}, {460800, B460800}, {921600, B921600},
};
enum { N_SPEEDS = sizeof speeds / sizeof speeds[0] };

static const struct {
    int errnum;
    enum error_code code;
    const char *text; // %s = the path
} causes[] = {
    {ENOENT, ERROR_NOT_FOUND,
     "there is no %s: is the reader plugged in there? `ls /dev/serial/by-path` shows the ports"},
    {ENODEV, ERROR_NOT_FOUND, "the device behind %s is gone: plug the reader in again"},
    {ENXIO, ERROR_NOT_FOUND, "nothing is behind %s: plug the reader in, or enable the port"},
    {EIO, ERROR_NOT_FOUND, "%s does not answer: plug the reader in again"},
    {EBUSY, ERROR_BUSY,
     "another program holds %s: stop it (a second daemon, ModemManager, a login console?)"},
    {EWOULDBLOCK, ERROR_BUSY,
     "another program holds %s: stop it (a second daemon, ModemManager, a login console?)"},
    {EACCES, ERROR_FORBIDDEN, "no right to open %s: add the daemon's user to the group dialout"},
    {EPERM, ERROR_FORBIDDEN, "no right to open %s: add the daemon's user to the group dialout"},
    {ENOTTY, ERROR_INVALID, "%s is no serial port: check the key `port`"},
};

enum error_code serial_explain(int errnum, const char *path, struct error *err) {
    for (size_t i = 0; i < sizeof causes / sizeof causes[0]; i++) {
        if (causes[i].errnum != errnum)
            continue;
        const char *at = strstr(causes[i].text, "%s");
        return error_set(err, causes[i].code, path, "%.*s%.80s%s", (int)(at - causes[i].text), causes[i].text,
                         path, at + 2);
    }
    return error_set(err, ERROR_NOT_FOUND, path, "%.80s cannot be opened: %s", path, strerror(errnum));
}

static speed_t speed_of(int baud) {
    for (size_t i = 0; i < N_SPEEDS; i++) {
        if (speeds[i].baud == baud)
            return speeds[i].speed;
    }
    return B0;
}

bool serial_baud_ok(int baud) {
    return speed_of(baud) != B0;
}

enum error_code serial_check_baud(const struct config_section *conf, struct error *err) {
    if (serial_baud_ok((int)config_int(conf, "baud")))
        return ERROR_OK;
    return error_set(err, ERROR_INVALID, config_key_where(conf, "baud"),
                     "the baud rate is 9600 19200 38400 57600 115200 230400 460800 or 921600");
}

// Raw, 8N1, no modem lines; the line stays up on close, else boards with an auto-reset restart each time.
static int make_raw(int fd, int baud) {
    struct termios tio;
    if (tcgetattr(fd, &tio) < 0)
        return errno;
    cfmakeraw(&tio);
    tio.c_cflag |= CLOCAL | CREAD;
    tio.c_cflag &= ~(tcflag_t)(HUPCL | CRTSCTS | CSTOPB);
    tio.c_cc[VMIN] = 1; // so that reading 0 bytes means the far end is gone
    tio.c_cc[VTIME] = 0;
    cfsetispeed(&tio, speed_of(baud));
    cfsetospeed(&tio, speed_of(baud));
    return tcsetattr(fd, TCSANOW, &tio) < 0 ? errno : 0;
}

// USB adapters collect bytes for 16 ms unless asked not to. Not every line knows the wish.
static void hurry(int fd) {
    struct serial_struct line;
    if (ioctl(fd, TIOCGSERIAL, &line) < 0)
        return;
    line.flags |= ASYNC_LOW_LATENCY;
    (void)ioctl(fd, TIOCSSERIAL, &line);
}

enum error_code serial_open(const char *path, int baud, int *ret_fd, struct error *err) {
    *ret_fd = -1;
    int fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return serial_explain(errno, path, err);
    int errnum = 0;
    // The lock keeps out programs that ask for it, TIOCEXCL those that do not.
    if (!isatty(fd))
        errnum = ENOTTY;
    else if (flock(fd, LOCK_EX | LOCK_NB) < 0 || ioctl(fd, TIOCEXCL) < 0)
        errnum = errno;
    else
        errnum = make_raw(fd, baud);
    if (errnum) {
        close(fd);
        return serial_explain(errnum, path, err);
    }
    hurry(fd);
    tcflush(fd, TCIOFLUSH); // what came in before, and what has not gone out
    *ret_fd = fd;
    return ERROR_OK;
}

void serial_close(int fd) {
    if (fd < 0)
        return;
    ioctl(fd, TIOCNXCL);
    close(fd);
}
