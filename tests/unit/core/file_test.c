#include "core/file.h"
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[32], path[64], fresh[PATH_MAX];
static struct error err;

static int begin(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/file-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/f", folder);
    memset(&err, 0, sizeof err);
    return file_fresh(path, fresh) ? 0 : -1;
}
static int end(void **state) {
    (void)state;
    unlink(fresh);
    if (unlink(path) != 0)
        rmdir(path);
    return rmdir(folder);
}

static void must_be(const char *content) {
    char text[64] = "";
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[n] = '\0';
    assert_string_equal(text, content);
}

static void must_have_no_fresh(void) {
    assert_int_not_equal(access(fresh, F_OK), 0);
}

static unsigned rights(void) {
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 07777;
}

static void replace(const char *content, mode_t mode) {
    if (file_replace(path, mode, content, strlen(content), &err))
        fail_msg("%s: %s", err.where, err.text);
}

static void content_and_rights_are_those_asked_for(void **state) {
    (void)state;
    mode_t umask_was = umask(0077);
    replace("one", 0644);
    umask(umask_was);
    must_be("one");
    assert_int_equal(rights(), 0644);
    replace("", 0600);
    must_be("");
    assert_int_equal(rights(), 0600);
    must_have_no_fresh();
}

// What an earlier attempt left, longer and open to all, is neither kept nor mixed in.
static void a_rest_of_an_earlier_attempt_does_not_matter(void **state) {
    (void)state;
    int fd = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "a longer one", 12), 12);
    close(fd);
    replace("one", 0600);
    must_be("one");
    assert_int_equal(rights(), 0600);
}

static void b099_a_write_that_fails_leaves_the_old_file(void **state) {
    (void)state;
    char long_text[4096];
    memset(long_text, 'x', sizeof long_text);
    replace("old", 0600);
    struct rlimit was, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
    small = (struct rlimit){1000, was.rlim_max}; // a part is written, then no more
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    enum error_code code = file_replace(path, 0600, long_text, sizeof long_text, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(code, ERROR_STORAGE);
    assert_string_equal(err.where, path);
    assert_non_null(strstr(err.text, "cannot be written: "));
    must_be("old");
    must_have_no_fresh();
}

static void a_name_that_cannot_be_taken_leaves_nothing_beside(void **state) {
    (void)state;
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(file_replace(path, 0600, "new", 3, &err), ERROR_STORAGE);
    must_have_no_fresh();
}

// Who may write in the folder could lead the daemon's hand elsewhere.
static void a_link_beside_is_not_followed(void **state) {
    (void)state;
    replace("old", 0600);
    assert_int_equal(symlink(path, fresh), 0);
    assert_int_equal(file_replace(path, 0600, "new", 3, &err), ERROR_STORAGE);
    must_be("old");
}

static void what_was_prepared_counts_when_it_is_settled(void **state) {
    (void)state;
    replace("old", 0600);
    assert_int_equal(file_prepare(path, 0600, "new", 3, &err), ERROR_OK);
    must_be("old");
    file_drop(path);
    must_have_no_fresh();
    must_be("old");
    assert_int_equal(file_prepare(path, 0600, "new", 3, &err), ERROR_OK);
    assert_int_equal(file_settle(path, &err), ERROR_OK);
    must_be("new");
    assert_int_equal(file_settle(path, &err), ERROR_STORAGE);
    must_be("new");
}

static void a_path_that_is_too_long_or_nowhere_is_an_error(void **state) {
    (void)state;
    static char text[PATH_MAX];
    memset(text, 'x', sizeof text - 3);
    assert_false(file_fresh(text, fresh));
    assert_int_equal(file_replace(text, 0600, "new", 3, &err), ERROR_STORAGE);
    assert_int_equal(file_settle(text, &err), ERROR_STORAGE);
    file_drop(text);
    assert_int_equal(file_replace("/nonexistent/f", 0600, "new", 3, &err), ERROR_STORAGE);
    assert_string_equal(err.where, "/nonexistent/f");
    assert_true(file_fresh(path, fresh));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(content_and_rights_are_those_asked_for, begin, end),
        cmocka_unit_test_setup_teardown(a_rest_of_an_earlier_attempt_does_not_matter, begin, end),
        cmocka_unit_test_setup_teardown(b099_a_write_that_fails_leaves_the_old_file, begin, end),
        cmocka_unit_test_setup_teardown(a_name_that_cannot_be_taken_leaves_nothing_beside, begin, end),
        cmocka_unit_test_setup_teardown(a_link_beside_is_not_followed, begin, end),
        cmocka_unit_test_setup_teardown(what_was_prepared_counts_when_it_is_settled, begin, end),
        cmocka_unit_test_setup_teardown(a_path_that_is_too_long_or_nowhere_is_an_error, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
