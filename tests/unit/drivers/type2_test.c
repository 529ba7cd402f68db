// The questions that are put to a tag, against tags in memory.
#include "drivers/type2.h"
#include "support/nfc_tag.h"
#include "unit/drivers/fixture.h"

static const uint8_t id[] = {0x04, 0x11, 0x0A, 0x5A, 0x1F, 0x61, 0x80};

struct asked {
    struct type2 t;
    unsigned commands, reads, selections;
};

// Plays a whole inspection; `silent_at` = from that command on nothing is heard (0 = never).
static void ask(struct asked *a, const struct nfc_tag *tag, const struct originality_key *key,
                unsigned silent_at) {
    uint8_t command[TYPE2_COMMAND_MAX], data[NFC_TAG_ANSWER_MAX];
    size_t n;
    *a = (struct asked){0};
    type2_begin(&a->t, tag->id, tag->len, nfc_tag_sak(tag), key);
    while ((n = type2_next(&a->t, command)) > 0) {
        assert_true(a->commands++ < 40);
        a->reads += command[0] == 0x30;
        int got = silent_at && a->commands >= silent_at ? NFC_TAG_SILENT
                                                        : nfc_tag_answer(tag, command, n, data);
        type2_answer(&a->t,
                     got == NFC_TAG_SILENT    ? TYPE2_SILENT
                     : got == NFC_TAG_REFUSES ? TYPE2_REFUSED
                                              : TYPE2_ANSWERED,
                     data, got > 0 ? (size_t)got : 0);
    }
}

static void tell(const struct asked *a, char hint[80], char signature[16]) {
    struct fixture f;
    fixture_open(&f, true);
    struct reader reader = {
        .driver = driver_at(0), .host = &fixture_host, .host_ctx = &f, .loop = f.loop, .name = "a"};
    type2_report(&a->t, &reader, 0);
    const struct told *last = fixture_last(&f, "a");
    assert_int_equal(last->what, TOLD_SIGNATURE); // the last word
    assert_string_equal(last->tags, "04110A5A1F6180");
    snprintf(signature, 16, "%.15s", last->why);
    snprintf(hint, 80, "%.79s", f.n_told > 1 ? f.told[0].why : "");
    fixture_close(&f);
}

static void b056_four_answers_about_a_signature(void **state) {
    (void)state;
    struct originality_key key;
    struct nfc_tag tag;
    struct asked a;
    char hint[80], signature[16];
    assert_true(originality_key_parse(nfc_tag_maker(), &key));
    nfc_tag_init(&tag, id, sizeof id);
    nfc_tag_write(&tag, "seer");
    nfc_tag_sign(&tag);
    ask(&a, &tag, &key, 0);
    tell(&a, hint, signature);
    assert_string_equal(signature, "valid");
    assert_string_equal(hint, "seer");

    tag.signature[7] ^= 1;
    ask(&a, &tag, &key, 0);
    tell(&a, hint, signature);
    assert_string_equal(signature, "invalid");
    nfc_tag_sign(&tag);
    tag.id[6] ^= 1; // a copy of the signature on another id
    ask(&a, &tag, &key, 0);
    assert_int_equal(a.t.signature, DRIVER_SIGNATURE_INVALID);
    tag.id[6] ^= 1;
    ask(&a, &tag, NULL, 0); // of our maker, not of the published one
    assert_int_equal(a.t.signature, DRIVER_SIGNATURE_INVALID);

    tag.signature_lost = true;
    ask(&a, &tag, &key, 0);
    tell(&a, hint, signature);
    assert_string_equal(signature, "unreadable");
    assert_string_equal(hint, "seer");

    tag.kind = NFC_TAG_ULTRALIGHT;
    ask(&a, &tag, &key, 0);
    tell(&a, hint, signature);
    assert_string_equal(signature, "unsupported");
    assert_string_equal(hint, "seer");
    tag.kind = NFC_TAG_CLASSIC;
    ask(&a, &tag, &key, 0);
    tell(&a, hint, signature);
    assert_string_equal(signature, "unsupported");
    assert_int_equal(a.commands, 0);
}

static void b018_lifted_in_the_middle(void **state) {
    (void)state;
    struct nfc_tag tag;
    struct asked a;
    char hint[80], signature[16];
    nfc_tag_init(&tag, id, sizeof id);
    nfc_tag_write(&tag, "a text that needs more than one reading, and then more");
    nfc_tag_sign(&tag);
    ask(&a, &tag, NULL, 0);
    unsigned all = a.commands;
    assert_int_equal(all, a.reads + 2);
    for (unsigned i = 1; i <= all; i++) {
        ask(&a, &tag, NULL, i);
        assert_true(a.t.aborted);
        assert_int_equal(a.commands, i + 1); // asked once more, then given up
        tell(&a, hint, signature);
        assert_string_equal(signature, "unreadable");
        assert_string_equal(hint,
                            i <= a.reads ? "" : "a text that needs more than one reading, and then more");
    }
}

static void no_more_is_read_than_needed(void **state) {
    (void)state;
    struct nfc_tag tag;
    struct asked a;
    nfc_tag_init(&tag, id, sizeof id);
    ask(&a, &tag, NULL, 0);
    assert_int_equal(a.reads, 1); // an empty message lies in the first 16 bytes
    memset(tag.memory + 16, 0, sizeof tag.memory - 16);
    ask(&a, &tag, NULL, 0);
    assert_int_equal(a.reads, 1 + (0x12 * 8 - 12 + 15) / 16); // zeros: to the end of the area, and no further
    tag.memory[14] = 0xFF;                                    // an area as large as lies can be
    ask(&a, &tag, NULL, 0);
    assert_true(a.t.n <= TYPE2_MEMORY_MAX);
    tag.memory[12] = 0; // not formatted
    ask(&a, &tag, NULL, 0);
    assert_int_equal(a.reads, 1);
    assert_int_equal(a.t.n, 0);
    nfc_tag_init(&tag, id, sizeof id);
    tag.locked_from = 5; // behind a password
    ask(&a, &tag, NULL, 0);
    assert_int_equal(a.t.signature, DRIVER_SIGNATURE_INVALID);
    assert_int_equal(a.t.n, 0);
}

static void answers_of_wrong_length_are_no_answers(void **state) {
    (void)state;
    uint8_t command[TYPE2_COMMAND_MAX], data[TYPE2_ANSWER_MAX] = {0xE1, 0x10, 0x12};
    for (size_t n = 0; n <= sizeof data; n++) {
        struct type2 t;
        type2_begin(&t, id, sizeof id, 0, NULL);
        type2_answer(&t, TYPE2_ANSWERED, data, n);
        assert_int_equal(t.step, n == 16 ? TYPE2_MORE : TYPE2_FIRST);
        assert_true(type2_next(&t, command) > 0);
    }
}

// A genuine chip, and the makers' published keys.
static void the_published_keys(void **state) {
    (void)state;
    static const uint8_t uid[] = {0x04, 0xAB, 0x87, 0xF2, 0xCA, 0x11, 0x90};
    uint8_t signature[] = {0x67, 0xB1, 0x75, 0x0B, 0xCC, 0xEB, 0x11, 0x74, 0xF9, 0xA3, 0x3B,
                           0xF2, 0x0E, 0x02, 0x26, 0x55, 0x1A, 0x63, 0x66, 0x93, 0x9B, 0x31,
                           0xF9, 0x49, 0x84, 0x8C, 0x3C, 0x08, 0x73, 0x50, 0xFA, 0x90};
    const struct originality_key *ntag = originality_key_of(4, 4), *ultralight = originality_key_of(4, 3);
    assert_non_null(ntag);
    assert_non_null(ultralight);
    assert_null(originality_key_of(5, 4));
    assert_true(originality_valid(ntag, uid, sizeof uid, signature));
    assert_false(originality_valid(ultralight, uid, sizeof uid, signature));
    assert_false(originality_valid(ntag, uid, 4, signature));
    memset(signature, 0, sizeof signature);
    assert_false(originality_valid(ntag, uid, sizeof uid, signature));
    memset(signature, 0xFF, sizeof signature);
    assert_false(originality_valid(ntag, uid, sizeof uid, signature));
}

static void keys_of_a_configuration(void **state) {
    (void)state;
    struct originality_key key;
    char text[80];
    snprintf(text, sizeof text, "%s", nfc_tag_maker());
    assert_true(originality_key_parse(text, &key));
    text[10] = text[10] == '0' ? '1' : '0'; // not on the curve
    assert_false(originality_key_parse(text, &key));
    assert_false(originality_key_parse("04", &key));
    text[10] = 'x';
    assert_false(originality_key_parse(text, &key));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(b056_four_answers_about_a_signature),
        cmocka_unit_test(b018_lifted_in_the_middle),
        cmocka_unit_test(no_more_is_read_than_needed),
        cmocka_unit_test(answers_of_wrong_length_are_no_answers),
        cmocka_unit_test(the_published_keys),
        cmocka_unit_test(keys_of_a_configuration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
