// Sentences and names in four languages, from the catalogues beside the programs.
#include "core/catalogue.h"
#include "core/phrase.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// cmocka needs the three above
#include <cmocka.h>

static char buf[256];

static const char *fill(const char *language, const char *sentence, const struct phrase_arg *args,
                        unsigned n) {
    phrase_fill(language, sentence, args, n, buf, sizeof buf);
    return buf;
}
static const char *name(const char *language, const char *context, const char *word) {
    phrase_name(language, context, word, buf, sizeof buf);
    return buf;
}
static const char *text(const char *language, const char *sentence) {
    phrase_text(language, sentence, buf, sizeof buf);
    return buf;
}

static void a_line_is_said_in_four_languages(void **state) {
    (void)state;
    static const struct phrase_arg seat = {'s', "s3", ""};
    assert_string_equal(fill("en", "Seat {0} dies.", &seat, 1), "Seat 3 dies.");
    assert_string_equal(fill("es", "Seat {0} dies.", &seat, 1), "Muere el puesto 3.");
    assert_string_equal(fill("it", "Seat {0} dies.", &seat, 1), "Muore il posto 3.");
    assert_string_equal(fill("zh", "Seat {0} dies.", &seat, 1), "3号死亡。");
}

static void languages_take_turns(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_string_equal(text("es", "We repeat the step."), "Repetimos el paso.");
        assert_string_equal(text("zh", "We repeat the step."), "重新进行这一步。");
        assert_string_equal(text("en", "We repeat the step."), "We repeat the step.");
        assert_string_equal(text("fr", "We repeat the step."), "We repeat the step."); // no catalogue
        assert_string_equal(text("", "We repeat the step."), "We repeat the step.");
    }
}

static void labels_and_kinds_have_names(void **state) {
    (void)state;
    static const struct phrase_arg plays[] = {{'s', "s3", "h2"}, {'k', "force_field", NULL}};
    static const struct phrase_arg creature[] = {{'s', "s1", "c"}, {'k', "virus", NULL}};
    assert_string_equal(fill("en", "Seat {0} plays {1}.", plays, 2), "Hunted 2 plays Force Field.");
    assert_string_equal(fill("es", "Seat {0} plays {1}.", plays, 2), "Perseguido 2 juega Campo de fuerza.");
    assert_string_equal(fill("en", "Seat {0} plays {1}.", creature, 2), "Creature plays Virus.");
    assert_string_equal(name("it", "kind", "paranormal_investigator"), "investigatore del paranormale");
    assert_string_equal(name("zh", "kind", "token_7"), "7号标记");
    assert_string_equal(name("en", "place", "hex.-3,11"), "field -3,11");
    assert_string_equal(name("en", "place", "c2"), "centre card 2");
    assert_string_equal(name("en", "kind", "never_heard_of"), "never heard of");
}

static void a_number_chooses_the_form(void **state) {
    (void)state;
    static const char line[] = "The journey is over. Seat {0} has {1} points.";
    static const struct phrase_arg one[] = {{'s', "s1", "red"}, {'n', "1", NULL}};
    static const struct phrase_arg many[] = {{'s', "s1", "red"}, {'n', "12", NULL}};
    assert_string_equal(fill("en", line, one, 2), "The journey is over. Seat red has one point.");
    assert_string_equal(fill("en", line, many, 2), "The journey is over. Seat red has 12 points.");
    assert_string_equal(fill("es", line, one, 2), "El viaje ha terminado. El jugador rojo tiene un punto.");
    assert_string_equal(fill("it", line, many, 2), "Il viaggio è finito. Il giocatore rosso ha 12 punti.");
    assert_string_equal(fill("zh", line, many, 2), "旅程结束，红方得到12分。");
}

static void free_text_is_found_with_its_numbers(void **state) {
    (void)state;
    assert_string_equal(text("it", "Seat 4 must give seat 2 a token first."),
                        "Il posto 4 deve prima dare un segnalino al posto 2.");
    assert_string_equal(text("es", "sheep on hex.-1,4 stop the slide"),
                        "las ovejas de -1,4 detienen el avance");
    assert_string_equal(text("es", "something nobody wrote 4"), "something nobody wrote 4");
}

static void b122_what_does_not_fit_is_cut_between_characters(void **state) {
    (void)state;
    static const struct phrase_arg seat = {'s', "s3", ""};
    char small[8];
    assert_int_equal(phrase_fill("zh", "Seat {0} dies.", &seat, 1, small, sizeof small), strlen("3号死亡。"));
    assert_string_equal(small, "3号死");
}

static void words_in_braces_that_are_no_slot_stay(void **state) {
    (void)state;
    static const struct phrase_arg seat = {'s', "s3", ""};
    assert_string_equal(fill("", "{0} {1} {x} {", &seat, 1), "3 {1} {x} {");
}

// What comes over a wire may lack its value.
static void an_argument_without_a_value_is_empty(void **state) {
    (void)state;
    char *none = calloc(1, 1), text[64]; // a byte of its own, so that nothing lies behind it unseen
    assert_non_null(none);
    for (const char *type = "skpn"; *type; type++) {
        const struct phrase_arg arg = {*type, none, none};
        phrase_fill("en", "<{0}>", &arg, 1, text, sizeof text);
        assert_string_equal(text, "<>");
    }
    phrase_text("es", none, text, sizeof text); // where a catalogue has its own head
    assert_string_equal(text, "");
    free(none);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_said_in_four_languages),
        cmocka_unit_test(an_argument_without_a_value_is_empty),
        cmocka_unit_test(languages_take_turns),
        cmocka_unit_test(labels_and_kinds_have_names),
        cmocka_unit_test(a_number_chooses_the_form),
        cmocka_unit_test(free_text_is_found_with_its_numbers),
        cmocka_unit_test(b122_what_does_not_fit_is_cut_between_characters),
        cmocka_unit_test(words_in_braces_that_are_no_slot_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
