// The variable instructions (5): what is drawn before the night, from which tables.
#pragma once

// X(NAME, id, line): whom an instruction is about (5, "target keys").
#define ONE_NIGHT_KEYS(X)                                                                                    \
    X(NONE, none, none)                                                                                      \
    X(ANY, any, k_any)                                                                                       \
    X(EVEN, anyeven, k_even)                                                                                 \
    X(ODD, anyodd, k_odd)                                                                                    \
    X(HIGHER, higher, k_higher)                                                                              \
    X(LOWER, lower, k_lower)                                                                                 \
    X(ONE, oneneighbor, k_one)                                                                               \
    X(LEFT, leftneighbor, k_left)                                                                            \
    X(RIGHT, rightneighbor, k_right)                                                                         \
    X(BOTH, bothneighbors, k_both)                                                                           \
    X(CENTRE, center, k_centre)                                                                              \
    X(SELF, yourself, k_self)                                                                                \
    X(EVERYONE, everyone, k_everyone)                                                                        \
    X(EVEN_PLAYERS, evenplayers, k_evenplayers)                                                              \
    X(ODD_PLAYERS, oddplayers, k_oddplayers)                                                                 \
    X(ANY_2, any2, k_any2)                                                                                   \
    X(EVEN_2, any2even, k_even2)                                                                             \
    X(ODD_2, any2odd, k_odd2)                                                                                \
    X(HIGHER_2, any2higher, k_higher2)                                                                       \
    X(LOWER_2, any2lower, k_lower2)                                                                          \
    X(LEFT_2, 2leftneighbors, k_left2)                                                                       \
    X(RIGHT_2, 2rightneighbors, k_right2)                                                                    \
    X(ACTIVE, activeplayers, k_active1)
enum one_night_key {
#define X(name, id, line) KEY_##name,
    ONE_NIGHT_KEYS(X)
#undef X
        KEYS
};

// X(NAME, id): for whom an instruction is drawn; a doppelganger has her own (4.2).
#define ONE_NIGHT_DRAWS(X)                                                                                   \
    X(ORACLE, oracle)                                                                                        \
    X(DOPPEL_ORACLE, doppelganger_oracle)                                                                    \
    X(ALIENS, aliens)                                                                                        \
    X(PSYCHIC, psychic)                                                                                      \
    X(DOPPEL_PSYCHIC, doppelganger_psychic)                                                                  \
    X(RASCAL, rascal)                                                                                        \
    X(DOPPEL_RASCAL, doppelganger_rascal)                                                                    \
    X(EXPOSER, exposer)                                                                                      \
    X(DOPPEL_EXPOSER, doppelganger_exposer)                                                                  \
    X(BLOB, blob)                                                                                            \
    X(MORTICIAN, mortician)                                                                                  \
    X(DOPPEL_MORTICIAN, doppelganger_mortician)                                                              \
    X(RIPPLE, ripple)
enum one_night_draw {
#define X(name, id) DRAW_##name,
    ONE_NIGHT_DRAWS(X)
#undef X
        DRAWS,
    DRAW_NONE = 0xff
};

// X(NAME, id): numbers drawn beside them. The oracles' answers are those the device chooses when nobody
// answers; their results tell apart (a), (b), (c) of 5.1, and hold the number to guess.
#define ONE_NIGHT_NUMBERS(X)                                                                                 \
    X(ORACLE_ANSWER, oracle_answer)                                                                          \
    X(DOPPEL_ORACLE_ANSWER, doppelganger_oracle_answer)                                                      \
    X(ORACLE_RESULT, oracle_result)                                                                          \
    X(DOPPEL_ORACLE_RESULT, doppelganger_oracle_result)                                                      \
    X(ORACLE_PLAYER, oracle_player)                                                                          \
    X(DOPPEL_ORACLE_PLAYER, doppelganger_oracle_player)                                                      \
    X(ACTIVE_1, active_1)                                                                                    \
    X(ACTIVE_2, active_2)                                                                                    \
    X(ACTIVE_3, active_3)                                                                                    \
    X(RIPPLE, ripple_comes)                                                                                  \
    X(ARTIFACT_1, artifact_1)                                                                                \
    X(ARTIFACT_2, artifact_2)                                                                                \
    X(REPEATED_ROLE, repeated_role)
enum one_night_number {
#define X(name, id) NUMBER_##name,
    ONE_NIGHT_NUMBERS(X)
#undef X
        NUMBERS
};
enum { NOT_DRAWN = 0xff };

// X(NAME, id): the entries of the tables, in their groups.
#define ONE_NIGHT_VARIANTS(X)                                                                                \
    X(Q_ALIENTEAM, oracle_alienteam)                                                                         \
    X(Q_WEREWOLFTEAM, oracle_werewolfteam)                                                                   \
    X(Q_VAMPIRETEAM, oracle_vampireteam)                                                                     \
    X(Q_ALIENEXCHANGE, oracle_alienexchange)                                                                 \
    X(Q_CENTEREXCHANGE, oracle_centerexchange)                                                               \
    X(Q_VIEWCENTER, oracle_viewcenter)                                                                       \
    X(Q_RIPPLE, oracle_ripple)                                                                               \
    X(Q_VIEWPLAYER, oracle_viewplayer)                                                                       \
    X(Q_EVENODD, oracle_evenodd)                                                                             \
    X(Q_GUESSNUMBER, oracle_guessnumber)                                                                     \
    X(ALIENS_VIEW, aliens_view)                                                                              \
    X(ALIENS_ALLVIEW, aliens_allview)                                                                        \
    X(ALIENS_STARE, aliens_stare)                                                                            \
    X(ALIENS_LEFT, aliens_left)                                                                              \
    X(ALIENS_RIGHT, aliens_right)                                                                            \
    X(ALIENS_SHOW, aliens_show)                                                                              \
    X(ALIENS_TIMER, aliens_timer)                                                                            \
    X(ALIENS_NEWALIEN, aliens_newalien)                                                                      \
    X(ALIENS_HELPER, aliens_alienhelper)                                                                     \
    X(PSYCHIC_VIEW1, psychic_view1)                                                                          \
    X(PSYCHIC_VIEW2, psychic_view2)                                                                          \
    X(RASCAL_TROUBLEMAKER, rascal_troublemaker)                                                              \
    X(RASCAL_WITCH, rascal_witch)                                                                            \
    X(RASCAL_DRUNK, rascal_drunk)                                                                            \
    X(RASCAL_ROBBER, rascal_robber)                                                                          \
    X(RASCAL_IDIOT, rascal_idiot)                                                                            \
    X(EXPOSER_1, exposer_1)                                                                                  \
    X(EXPOSER_2, exposer_2)                                                                                  \
    X(EXPOSER_3, exposer_3)                                                                                  \
    X(BLOB_1LEFT, blob_1left)                                                                                \
    X(BLOB_1RIGHT, blob_1right)                                                                              \
    X(BLOB_1EACH, blob_1each)                                                                                \
    X(BLOB_2LEFT, blob_2left)                                                                                \
    X(BLOB_2RIGHT, blob_2right)                                                                              \
    X(BLOB_3LEFT, blob_3left)                                                                                \
    X(BLOB_3RIGHT, blob_3right)                                                                              \
    X(BLOB_4LEFT, blob_4left)                                                                                \
    X(BLOB_4RIGHT, blob_4right)                                                                              \
    X(BLOB_2EACH, blob_2each)                                                                                \
    X(MORTICIAN_NONE, mortician_none)                                                                        \
    X(MORTICIAN_1, mortician_1)                                                                              \
    X(MORTICIAN_2, mortician_2)                                                                              \
    X(RIPPLE_1MINUTE, ripple_1minute)                                                                        \
    X(RIPPLE_INSOMNIAC, ripple_insomniac)                                                                    \
    X(RIPPLE_NOSPEAK, ripple_nospeak)                                                                        \
    X(RIPPLE_FACEAWAY, ripple_faceaway)                                                                      \
    X(RIPPLE_IAMALIEN, ripple_iamalien)                                                                      \
    X(RIPPLE_TROUBLEMAKER, ripple_troublemaker)                                                              \
    X(RIPPLE_STEAL, ripple_steal)                                                                            \
    X(RIPPLE_WITCH, ripple_witch)                                                                            \
    X(RIPPLE_VIEW1, ripple_view1)                                                                            \
    X(RIPPLE_VIEW2, ripple_view2)                                                                            \
    X(RIPPLE_REVEAL, ripple_reveal)                                                                          \
    X(RIPPLE_DUALVIEW, ripple_dualview)                                                                      \
    X(RIPPLE_SHUFFLE, ripple_shuffle)                                                                        \
    X(RIPPLE_DRUNK, ripple_drunk)                                                                            \
    X(RIPPLE_TWOVOTE, ripple_twovote)                                                                        \
    X(RIPPLE_VOTEAPP, ripple_voteapp)                                                                        \
    X(RIPPLE_REPEAT, ripple_repeat)                                                                          \
    X(RIPPLE_REPEAT1P, ripple_repeat1p)                                                                      \
    X(RIPPLE_REPEATROLE, ripple_repeatrole)
enum one_night_variant {
#define X(name, id) VARIANT_##name,
    ONE_NIGHT_VARIANTS(X)
#undef X
        VARIANTS,
    VARIANT_NONE = 0xff
};
