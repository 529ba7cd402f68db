"""Leaks that were thought of, put back in one at a time: (name, scene that has to find it, file, text, leaking text).

60-leaks.py applies each row to a copy of one file, links the daemon anew and plays the scene of scenes.py. A row whose text is no longer in
the file fails: then the leak is put back where that code is now.
"""
ENGINE, WIRE, NET, GAMES = "daemon/engine/", "daemon/wire/", "daemon/net/", "daemon/games/"

LEAKS = [
    # ---- times
    ("early_phase_end", "night", ENGINE + "table_dark.c",
     "    end_step(t, air, end_us);",
     "    end_us -= g->entry[g->n_entries - 1].kind == JOURNAL_ACT ? 100000 : 0;\n    end_step(t, air, end_us);"),
    ("deadline_by_who_is_awake", "night", ENGINE + "table_view.c",
     "            ret->deadline_us = ret->starts_at_us + step->length_ms * INT64_C(1000);",
     "            ret->deadline_us = ret->starts_at_us + step->length_ms * (p->phase.turn ? INT64_C(1000) : INT64_C(999));"),
    ("late_message_after_an_action", "night", ENGINE + "table_dark.c",
     "t->boundary_timer, end_us, at_boundary",
     "t->boundary_timer, end_us + (g->entry[g->n_entries - 2].kind == JOURNAL_ACT ? 20000 : 0), at_boundary"),
    # ---- counts
    ("journal_position_as_sequence", "night", ENGINE + "table_say.c",
     "    event->seq = ++t->audience[audience < 0 ? GAME_SEATS_MAX : audience].seq;",
     "    event->seq = t->n;"),
    ("one_sequence_for_all", "seats_alone", ENGINE + "table_say.c",
     "    event->seq = ++t->audience[audience < 0 ? GAME_SEATS_MAX : audience].seq;",
     "    event->seq = ++t->audience[GAME_SEATS_MAX].seq;"),
    ("etag_of_the_whole_state", "night", ENGINE + "table_parts.c",
     "        view->version = ++row->version;",
     "        struct hash whole = {1};\n        if (t->shown)\n            mix_bytes(&whole, t->shown->announced.state, t->shown->game->state_size);\n"
     "        view->version = ++row->version + (whole.h & 0xffff);"),
    ("records_of_the_dark_counted", "night", ENGINE + "table_records.c",
     "    if (dark || e->kind == JOURNAL_BIND)\n        return;\n    t->records++;",
     "    (void)dark;\n    t->records++;"),
    ("reader_numbers_at_night", "night", ENGINE + "door_numbers.c",
     "            row->free_us = now + AFTER_US;",
     "            row->free_us = now;"),
    # ---- contents
    ("who_is_awake", "night", ENGINE + "table_view.c",
     "    if (p->dark) {\n        const struct game_step",
     "    ret->turn = p->phase.turn;\n    if (p->dark) {\n        const struct game_step"),
    ("board_not_frozen", "night", ENGINE + "table_view.c",
     "    if (!g->announced.dark) {\n        table__levels",
     "    {\n        table__levels"),
    ("seat_acted_in_the_dark", "night", ENGINE + "table_records.c",
     "        count(t, &g->entry[i], g->announced.dark);",
     "        count(t, &g->entry[i], g->announced.dark);\n        if (g->announced.dark && g->entry[i].by >= 0)\n"
     "            table__tell(t, &(struct observe_event){.type = OBSERVE_EVENT_SEAT_ACTED, .seat = (int8_t)g->entry[i].by});"),
    ("violation_told_at_night", "night", ENGINE + "table_dark.c",
     "    if (left && !waits)\n        slips(t, hands_at_rest(t), &taken);",
     "    if (left && !waits)\n        table__remind(t, \"misplaced\", GAME_NONE, \"A piece lies in the wrong place.\");\n"
     "    if (left && !waits)\n        slips(t, hands_at_rest(t), &taken);"),
    ("narration_by_the_deal", "night", ENGINE + "table_dark.c",
     "    table__narrate(t, NULL, &g->script.step[g->announced.step], at_us);",
     "    if (g->announced.phase.turn)\n        table__narrate(t, NULL, &g->script.step[g->announced.step], at_us);"),
    ("checkpoint_only_when_needed", "night", ENGINE + "table_dark.c",
     "    table__narrate(t, NULL, &g->script.step[g->announced.step], at_us);",
     "    static uint32_t was;\n    bool acted = g->n_entries > was + 1;\n    was = g->n_entries;\n"
     "    if (acted || strcmp(g->script.step[g->announced.step].id, \"check\"))\n"
     "        table__narrate(t, NULL, &g->script.step[g->announced.step], at_us);"),
    ("choice_opened_in_the_dark", "night", ENGINE + "table_dark.c",
     "        plan->flags[plan->n++] = timing(t, best->by, from, to);",
     "        plan->flags[plan->n++] = timing(t, best->by, from, to);\n        struct table__out *asked = table__out(t, false);\n"
     "        asked->event = OBSERVE_EVENT_CHOICE_OPENED;"),
    ("result_before_the_reveal", "day", GAMES + "one_night/observe.c",
     "    if (g->phase == PHASE_REVEAL) {\n        end_facts",
     "    if (g->phase == PHASE_VOTE || g->phase == PHASE_REVEAL) {\n        end_facts"),
    ("repair_names_the_tile", "day", ENGINE + "table_wrong.c",
     'kind->hidden ? "tile" : kind->id',
     "kind->id"),
    ("action_told_under_seal", "places", ENGINE + "table_say.c",
     "    return veil == OBSERVE_OPEN && !(g->game->verbs[act->verb].flags & GAME_VERB_SEALED) &&\n           !names_hidden_slot(g, act);",
     "    (void)veil, (void)names_hidden_slot;\n    return g->game->verbs[act->verb].name[0] != 0;"),
    ("message_as_long_as_its_secret", "places", ENGINE + "table_say.c",
     "    struct observe_event shut = {.type = OBSERVE_EVENT_SEAT_ACTED, .seat = (int8_t)entry->by};",
     "    char blanks[256] = \"\";\n    memset(blanks, ' ', 1 + (size_t)act.arg[0].value[0] % 40);\n"
     "    struct observe_event shut = {.type = OBSERVE_EVENT_SEAT_ACTED, .seat = (int8_t)entry->by, .text = blanks};"),
    ("a_seat_sees_all_facts", "seats", GAMES + "one_night/observe.c",
     "        own_facts(g, (unsigned)ret->audience, ret);",
     "        for (unsigned s = 0; s < g->seats; s++)\n            own_facts(g, s, ret);"),
    # ---- answers
    ("answer_by_what_is_legal", "night", ENGINE + "door_requests.c",
     "    if (!g->ahead.paused && !read_action(g, action, &parsed_by, &parsed, &err) && parsed_by == by)\n        table__dark_declare",
     "    if (read_action(g, action, &parsed_by, &parsed, &r->err) ||\n        g->game->apply(memcpy(g->scratch, g->ahead.state, g->game->state_size), by, parsed, NULL, &r->err)) {\n"
     "        refuse(r, NULL);\n        return;\n    }\n    if (!g->ahead.paused && parsed_by == by)\n        table__dark_declare"),
    # ---- where it goes
    ("log_line_in_the_dark", "night", ENGINE + "table_dark.c",
     "    if (table__act_silently(t, &act, true, &err))\n        return false;",
     "    if (table__act_silently(t, &act, true, &err))\n        return false;\n    log_debug(\"table\", \"accepted table=%s\", t->options.name);"),
    ("log_line_with_a_kind", "day", ENGINE + "table_hands.c",
     "            g->unbound++;\n            return;",
     "            g->unbound++;\n            log_debug(\"table\", \"bound kind=%s\", row->kind);\n            return;"),
    ("log_line_with_a_piece", "day", ENGINE + "table_hands.c",
     "            g->unbound++;\n            return;",
     "            g->unbound++;\n            log_debug(\"table\", \"bound piece=%s\", row->name);\n            return;"),
    ("narration_kept_by_the_broker", "night", NET + "mqtt.c",
     "            .content = (enum mqtt_content)i,\n            .expiry_s",
     "            .content = (enum mqtt_content)i,\n            .retain = true,\n            .expiry_s"),
    ("seats_told_to_the_broker", "seats_alone", NET + "mqtt.c",
     "    if (message->audience != OBSERVE_PUBLIC) // what a seat knows never goes to the broker\n        return;",
     ""),
    ("seats_in_the_timeline", "seats_alone", NET + "history.c",
     "    bool wanted = message->audience == OBSERVE_PUBLIC &&\n                  (history__topic_name",
     "    bool wanted = (history__topic_name"),
    ("seats_on_the_public_stream", "seats_alone", NET + "sse.c",
     "sse__ring_find(sse, message->table, message->audience);",
     "sse__ring_find(sse, message->table, OBSERVE_PUBLIC);"),
]
# An #include that a leaking text needs.
NEEDS = {"log_line_with_a_kind": '#include "core/log.h"\n', "log_line_with_a_piece": '#include "core/log.h"\n'}
