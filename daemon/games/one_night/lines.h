// Every sentence of the game. Role first, verb second, at most twelve words (evenings 4).
#pragma once

// X(id, text, argument types): what is spoken, then what the story after the reveal tells.
// clang-format off
#define ONE_NIGHT_LINES(X) \
    X(none, "", "") \
    X(deal, "Deal the cards face down. Look at your own card once.", "") \
    X(call_10, "Everyone, close your eyes.", "") \
    X(check, "Everyone, please put all cards back on their pads.", "") \
    X(call_120, "Doppelganger, look at another player's card. You are that role now.", "") \
    X(more_120, "Doppelganger, do its action now, if it has one.", "") \
    X(close_120, "Doppelganger, close your eyes.", "") \
    X(call_128, "Doppelganger, if you saw the minion: look for the werewolves.", "") \
    X(thumbs, "Werewolves, thumbs out.", "") \
    X(call_400, "Werewolves, look for each other.", "") \
    X(more_400, "A single werewolf may look at one centre card.", "") \
    X(close_400, "Werewolves, close your eyes.", "") \
    X(away_400, "Werewolves, close your eyes. Dream wolf, thumb away.", "") \
    X(call_310, "Sentinel, you may put the shield on another player's card.", "") \
    X(close_310, "Sentinel, close your eyes.", "") \
    X(dream_400, "Dream wolf, thumb out, eyes closed.", "") \
    X(call_410, "Alpha wolf, you must exchange the centre werewolf with another player's card.", "") \
    X(close_410, "Alpha wolf, close your eyes.", "") \
    X(call_420, "Mystic wolf, you may look at another player's card.", "") \
    X(close_420, "Mystic wolf, close your eyes.", "") \
    X(call_510, "Apprentice seer, you may look at one centre card.", "") \
    X(close_510, "Apprentice seer, close your eyes.", "") \
    X(call_520, "Paranormal investigator, you may look at two players' cards.", "") \
    X(more_520, "Paranormal investigator, stop at a werewolf or a tanner.", "") \
    X(close_520, "Paranormal investigator, close your eyes.", "") \
    X(call_610, "Witch, you may look at a centre card.", "") \
    X(more_610, "Witch, if you looked, you must give it to any player.", "") \
    X(close_610, "Witch, close your eyes.", "") \
    X(call_710, "Village idiot, you may move everybody's card but yours one place.", "") \
    X(close_710, "Village idiot, close your eyes.", "") \
    X(call_430, "Minion, look for the werewolves.", "") \
    X(close_430, "Minion, close your eyes. Werewolves, thumbs away.", "") \
    X(close_128, "Doppelganger, close your eyes. Werewolves, thumbs away.", "") \
    X(call_460, "Masons, look for each other.", "") \
    X(close_460, "Masons, close your eyes.", "") \
    X(call_500, "Seer, you may look at one player's card, or two centre cards.", "") \
    X(must_500, "Seer, look at one player's card, or two centre cards.", "") \
    X(close_500, "Seer, close your eyes.", "") \
    X(call_600, "Robber, you may exchange with another player, then look.", "") \
    X(must_600, "Robber, you must exchange with another player, then look.", "") \
    X(close_600, "Robber, close your eyes.", "") \
    X(call_700, "Troublemaker, you may exchange two other players' cards.", "") \
    X(must_700, "Troublemaker, you must exchange two other players' cards.", "") \
    X(close_700, "Troublemaker, close your eyes.", "") \
    X(call_800, "Drunk, you may exchange your card with a centre card.", "") \
    X(must_800, "Drunk, you must exchange your card with a centre card.", "") \
    X(close_800, "Drunk, close your eyes.", "") \
    X(call_900, "Insomniac, you may look at your card.", "") \
    X(must_900, "Insomniac, look at your card.", "") \
    X(close_900, "Insomniac, close your eyes.", "") \
    X(call_905, "Doppelganger, if you saw the insomniac: look at your card.", "") \
    X(call_1000, "Revealer, you may turn another player's card; hide a werewolf or tanner.", "") \
    X(hide_1000, "Revealer, you may turn another player's card; hide any but village cards.", "") \
    X(close_1000, "Revealer, close your eyes.", "") \
    X(call_1005, "Doppelganger, if you saw the revealer: do the same now.", "") \
    X(call_1490, "Everyone, nudge your own card; keep it on its pad.", "") \
    X(call_1500, "Everyone, open your eyes.", "") \
    X(day, "Everyone, talk. Cards stay face down.", "") \
    X(speech, "Seat {0}, speak.", "s") \
    X(call_vote, "Everyone, three, two, one: point. Then lay your tokens.", "") \
    X(ask, "Seat {0}, lay your token.", "s") \
    X(fixed, "The vote is fixed. Turn all cards.", "") \
    X(dies, "Seat {0} dies.", "s") \
    X(epic_second, "An Epic Battle: the second place dies too.", "") \
    X(nobody_dies, "Nobody dies.", "") \
    X(nobody_wins, "Nobody wins.", "") \
    X(wins_alien, "The aliens win.", "") \
    X(wins_apprentice_assassin, "The apprentice assassin wins.", "") \
    X(wins_assassin, "The assassin wins.", "") \
    X(wins_blob, "The blob wins.", "") \
    X(wins_groob, "Groob wins.", "") \
    X(wins_hunter, "The hunter wins alone.", "") \
    X(wins_leader, "The leader wins.", "") \
    X(wins_mortician, "The mortician wins.", "") \
    X(wins_synthetic_alien, "The synthetic alien wins.", "") \
    X(wins_tanner, "The tanner wins.", "") \
    X(wins_vampire, "The vampires win.", "") \
    X(wins_village, "The village wins.", "") \
    X(wins_werewolf, "The werewolves win.", "") \
    X(wins_zerb, "Zerb wins.", "") \
    X(epic_10, "This set allows an Epic Battle; the second place may die too.", "") \
    X(call_100, "Oracle, answer the question.", "") \
    X(q_alienteam, "Oracle, do you want to join the alien team?", "") \
    X(q_werewolfteam, "Oracle, do you want to join the werewolf team?", "") \
    X(q_vampireteam, "Oracle, do you want to join the vampire team?", "") \
    X(q_alienexchange, "Oracle, shall the aliens exchange their cards?", "") \
    X(q_centerexchange, "Oracle, do you want to exchange your card with a centre card?", "") \
    X(q_viewcenter, "Oracle, do you want to look at centre cards?", "") \
    X(q_ripple, "Oracle, shall there be a ripple?", "") \
    X(q_viewplayer, "Oracle, name the number of a player to look at.", "") \
    X(q_evenodd, "Oracle, say even or odd.", "") \
    X(q_guessnumber, "Oracle, guess my number from one to ten.", "") \
    X(call_125, "Doppelganger, if you saw the oracle: answer the question.", "") \
    X(r_no, "The answer is no.", "") \
    X(r_refused, "The answer is yes, but the wish is refused.", "") \
    X(r_alien, "The answer is yes. The oracle's card is an alien card now.", "") \
    X(r_helper, "The answer is yes. The oracle wins only with the aliens.", "") \
    X(r_werewolf, "The answer is yes. The oracle's card is a werewolf card now.", "") \
    X(r_vampire, "The answer is yes. The oracle's card is a vampire card now.", "") \
    X(r_alienexchange, "The answer is yes. The aliens must exchange their cards.", "") \
    X(r_centerexchange, "Oracle, you must exchange your card with a centre card.", "") \
    X(r_viewcenter, "Oracle, you may look at {0} of the centre cards.", "n") \
    X(r_ripple, "The answer is yes. There will be a ripple.", "") \
    X(r_viewplayer, "Oracle, you may look at the card of seat {0}.", "s") \
    X(r_even, "The oracle says: even.", "") \
    X(r_odd, "The oracle says: odd.", "") \
    X(r_right, "The guess is right. Oracle, you may keep your eyes open.", "") \
    X(r_wrong, "The guess is wrong. Everybody else wins only if the oracle dies.", "") \
    X(close_101, "Oracle, close your eyes.", "") \
    X(awake_101, "Everyone else, keep your eyes closed.", "") \
    X(call_110, "Copycat, look at one centre card. You are that role now.", "") \
    X(more_110, "Copycat, wake when that role is called.", "") \
    X(close_110, "Copycat, close your eyes.", "") \
    X(call_200, "Vampires, look for each other. Give a non-vampire your mark.", "") \
    X(more_200, "Vampires, keep pointing at that player, eyes closed.", "") \
    X(close_200, "Vampires, close your eyes.", "") \
    X(call_210, "Count, you must give the Mark of Fear to a non-vampire.", "") \
    X(close_210, "Count, close your eyes.", "") \
    X(call_215, "Doppelganger, if you saw the count: give the Mark of Fear.", "") \
    X(call_220, "Renfield, look for the vampires and at whom they point.", "") \
    X(more_220, "Renfield, you must take the Mark of the Bat.", "") \
    X(close_220, "Renfield, close your eyes. Vampires, hands down.", "") \
    X(shut_220, "Renfield, close your eyes.", "") \
    X(close_225, "Doppelganger, close your eyes. Vampires, hands down.", "") \
    X(call_225, "Doppelganger, if you saw the renfield: do the same now.", "") \
    X(call_230, "Diseased, you must give the Mark of Disease to a neighbour.", "") \
    X(close_230, "Diseased, close your eyes.", "") \
    X(call_240, "Cupid, you may give two players the Marks of Love.", "") \
    X(close_240, "Cupid, close your eyes.", "") \
    X(call_250, "Instigator, you may give a player the Mark of the Traitor.", "") \
    X(close_250, "Instigator, close your eyes.", "") \
    X(call_260, "Priest, you must take a Mark of Clarity for yourself.", "") \
    X(more_260, "Priest, you may give one more Mark of Clarity.", "") \
    X(close_260, "Priest, close your eyes.", "") \
    X(call_265, "Doppelganger, if you saw the priest: do the same now.", "") \
    X(call_270, "Assassin, you must mark a player. Keep your eyes open.", "") \
    X(mark_270, "Assassin, you must mark a player.", "") \
    X(close_270, "Assassin, lay your hands down.", "") \
    X(shut_270, "Assassin, close your eyes.", "") \
    X(call_275, "Doppelganger, if you saw the assassin: mark a player.", "") \
    X(open_275, "Doppelganger, if you saw the assassin: mark a player, eyes open.", "") \
    X(close_275, "Doppelganger, lay your hands down.", "") \
    X(call_280, "Apprentice assassin, look for the assassin.", "") \
    X(more_280, "Apprentice assassin, if there is none, you must mark a player.", "") \
    X(close_280, "Assassin and apprentice assassin, close your eyes.", "") \
    X(shut_280, "Apprentice assassin, close your eyes.", "") \
    X(close_285, "Assassin and doppelganger, close your eyes.", "") \
    X(call_285, "Doppelganger, if you saw the apprentice assassin: do the same now.", "") \
    X(call_290, "Everyone, look at your own mark.", "") \
    X(close_290, "Everyone, lay your mark back and close your eyes.", "") \
    X(call_300, "Lovers, look for each other.", "") \
    X(close_300, "Lovers, close your eyes.", "") \
    X(call_320, "Aliens, look for each other.", "") \
    X(cow_320, "Aliens, look for each other. Cow, fist out; a neighbour taps it.", "") \
    X(close_320, "Aliens, close your eyes. Fists away.", "") \
    X(call_330, "Groob and Zerb, look at each other.", "") \
    X(close_330, "Groob and Zerb, close your eyes.", "") \
    X(call_440, "Apprentice tanner, look for the tanner. Tanner, thumb out.", "") \
    X(close_440, "Apprentice tanner, close your eyes. Tanner, thumb away.", "") \
    X(call_450, "Leader, look for the aliens.", "") \
    X(more_450, "Aliens, thumbs out.", "") \
    X(pair_450, "Groob and Zerb, point at each other if you saw each other.", "") \
    X(close_450, "Leader, close your eyes. Aliens, hands away.", "") \
    X(close_455, "Doppelganger, close your eyes. Aliens, hands away.", "") \
    X(call_455, "Doppelganger, if you saw the leader: look for the aliens.", "") \
    X(call_470, "Thing, you may tap a neighbour's shoulder.", "") \
    X(close_470, "Thing, close your eyes.", "") \
    X(call_530, "Marksman, you may look at a player's card.", "") \
    X(more_530, "Marksman, you may look at another player's mark.", "") \
    X(close_530, "Marksman, close your eyes.", "") \
    X(call_535, "Doppelganger, if you saw the marksman: do the same now.", "") \
    X(call_550, "Psychic, open your eyes.", "") \
    X(close_550, "Psychic, close your eyes.", "") \
    X(call_555, "Doppelganger, if you saw the psychic: open your eyes.", "") \
    X(call_620, "Pickpocket, you may exchange your mark, then look at it.", "") \
    X(close_620, "Pickpocket, close your eyes.", "") \
    X(call_625, "Doppelganger, if you saw the pickpocket: do the same now.", "") \
    X(call_720, "Aura seer, look. Who looked at or moved cards, thumbs out.", "") \
    X(close_720, "Aura seer, close your eyes. Thumbs away.", "") \
    X(call_730, "Gremlin, you may exchange two marks or two players' cards.", "") \
    X(close_730, "Gremlin, close your eyes.", "") \
    X(call_735, "Doppelganger, if you saw the gremlin: do the same now.", "") \
    X(call_740, "Rascal, open your eyes.", "") \
    X(close_740, "Rascal, close your eyes.", "") \
    X(call_745, "Doppelganger, if you saw the rascal: open your eyes.", "") \
    X(call_910, "Squire, you may look at the werewolves' cards.", "") \
    X(close_910, "Squire, close your eyes. Werewolves, thumbs away.", "") \
    X(call_1010, "Exposer, open your eyes.", "") \
    X(close_1010, "Exposer, close your eyes.", "") \
    X(call_1015, "Doppelganger, if you saw the exposer: open your eyes.", "") \
    X(call_1100, "Curator, you may put an artifact on a player's card.", "") \
    X(close_1100, "Curator, close your eyes.", "") \
    X(call_1105, "Doppelganger, if you saw the curator: do the same now.", "") \
    X(call_1300, "Blob, keep yourself and your part alive.", "") \
    X(call_1305, "Doppelganger, if you saw the blob: the same holds for you.", "") \
    X(call_1310, "Mortician, open your eyes.", "") \
    X(close_1310, "Mortician, close your eyes.", "") \
    X(call_1315, "Doppelganger, if you saw the mortician: open your eyes.", "") \
    X(close_1400, "Everyone, close your eyes.", "") \
    X(v_view, "Each alien may look at one card.", "") \
    X(v_allview, "All aliens together may look at one card.", "") \
    X(v_stare, "Aliens, only look at each other.", "") \
    X(v_left, "Aliens, you must pass your cards to the left.", "") \
    X(v_right, "Aliens, you must pass your cards to the right.", "") \
    X(v_show, "Aliens, you must show your cards to each other.", "") \
    X(v_timer, "The time to talk is halved.", "") \
    X(v_newalien, "Aliens, you must tap a fist: its player becomes an alien.", "") \
    X(v_alienhelper, "Aliens, you must tap a fist: its player joins your team.", "") \
    X(v_psychic1, "You may look at one card.", "") \
    X(v_psychic2, "You may look at two cards.", "") \
    X(v_troublemaker, "You may exchange two cards.", "") \
    X(v_witch, "You may look at a card, then must give it away.", "") \
    X(v_drunk, "You must exchange your card, without looking.", "") \
    X(v_robber, "You may exchange your card, then look.", "") \
    X(v_idiot, "You may move everybody's card but yours one place.", "") \
    X(v_exposer1, "You may turn one centre card.", "") \
    X(v_exposer2, "You may turn two centre cards, or none.", "") \
    X(v_exposer3, "You may turn three centre cards, or none.", "") \
    X(v_blob, "{0} to the left and {1} to the right are part.", "nn") \
    X(v_mortician0, "You look at no card.", "") \
    X(v_mortician1, "You may look at one card.", "") \
    X(v_mortician2, "You may look at two cards.", "") \
    X(v_calm, "There is no ripple.", "") \
    X(v_ripple_minute, "A ripple: there is one minute to talk.", "") \
    X(v_ripple_insomniac, "A ripple: open your eyes. You may look at your own card.", "") \
    X(v_ripple_nospeak, "A ripple: by day you must not speak.", "") \
    X(v_ripple_faceaway, "A ripple: by day you must face away.", "") \
    X(v_ripple_iamalien, "A ripple: by day you only say: I am an alien.", "") \
    X(v_ripple_troublemaker, "A ripple: you may exchange two other players' cards.", "") \
    X(v_ripple_steal, "A ripple: you may exchange your card with a player, then look.", "") \
    X(v_ripple_witch, "A ripple: look at a centre card; you must give it away.", "") \
    X(v_ripple_view1, "A ripple: you may look at another player's card.", "") \
    X(v_ripple_view2, "A ripple: you may look at two other players' cards.", "") \
    X(v_ripple_reveal, "A ripple: you may turn another player's card.", "") \
    X(v_ripple_dualview, "A ripple: you may look at one card together.", "") \
    X(v_ripple_shuffle, "A ripple: shuffle your cards between you.", "") \
    X(v_ripple_drunk, "A ripple: you must exchange your card with a centre card.", "") \
    X(v_ripple_twovote, "A ripple: you vote with two hands.", "") \
    X(v_ripple_repeat, "A ripple: the night is played again.", "") \
    X(v_ripple_repeat1p, "A ripple: the night is played again; one keeps eyes open.", "") \
    X(v_ripple_repeatrole, "A ripple: the {0} acts once more.", "k") \
    X(v_ripple_voteapp, "A ripple: everybody may vote for the device.", "") \
    X(k_any, "Any other player's.", "") \
    X(k_even, "Another player's with an even number.", "") \
    X(k_odd, "Another player's with an odd number.", "") \
    X(k_higher, "Of a player with a higher number than yours.", "") \
    X(k_lower, "Of a player with a lower number than yours.", "") \
    X(k_one, "Of one of your neighbours.", "") \
    X(k_left, "Of the player to your left.", "") \
    X(k_right, "Of the player to your right.", "") \
    X(k_both, "Of both your neighbours.", "") \
    X(k_centre, "Of the centre.", "") \
    X(k_self, "Your own card.", "") \
    X(k_everyone, "This is for everyone.", "") \
    X(k_evenplayers, "This is for players with even numbers.", "") \
    X(k_oddplayers, "This is for players with odd numbers.", "") \
    X(k_any2, "Any two other players'.", "") \
    X(k_even2, "Two other players' with even numbers.", "") \
    X(k_odd2, "Two other players' with odd numbers.", "") \
    X(k_higher2, "Of two players with higher numbers than yours.", "") \
    X(k_lower2, "Of two players with lower numbers than yours.", "") \
    X(k_left2, "Of the two players to your left.", "") \
    X(k_right2, "Of the two players to your right.", "") \
    X(k_active1, "This is about seat {0}.", "s") \
    X(k_active2, "This is about seats {0} and {1}.", "ss") \
    X(k_active3, "This is about seats {0}, {1} and {2}.", "sss") \
    X(day_look, "Everyone, look once at an artifact that lies with you.", "") \
    X(tap_open, "Everyone, tap the open cards with a number token.", "") \
    X(open_seat, "Hide seat {0}'s card if it is a werewolf or tanner.", "s") \
    X(open_seat_any, "Hide seat {0}'s card if it is not of the village.", "s") \
    X(open_centre, "Card {0} lies open.", "p") \
    X(tap_ballots, "Everyone, tap your tokens on the pads, one by one.", "") \
    X(absent, "Seat {0} is away.", "s") \
    X(back, "Seat {0} is back.", "s") \
    X(viewed, "seat {0} as {1} looked at {2}", "skp") \
    X(copied, "seat {0} became {1}, seen at {2}", "skp") \
    X(swapped, "seat {0} as {1} exchanged {2} and {3}", "skpp") \
    X(rotated_left, "seat {0} as {1} moved all other cards to the left", "sk") \
    X(rotated_right, "seat {0} as {1} moved all other cards to the right", "sk") \
    X(shielded, "seat {0} as {1} put a shield on {2}", "skp") \
    X(flipped, "seat {0} as {1} turned {2} face up", "skp") \
    X(hidden, "seat {0} as {1} had to hide {2} again", "skp") \
    X(became, "seat {0} became a {1}", "sk") \
    X(missed_mandatory, "seat {0} as {1} did not do what it must", "sk") \
    X(slip_swapped, "exchanged {0} and {1}", "pp") \
    X(slip_back, "exchanged and put back {0} and {1}", "pp") \
    X(slip_looked, "lifted {0}", "p") \
    X(marked, "seat {0} as {1} laid {2} at {3}", "skkp") \
    X(given, "seat {0} as {1} put {2} on seat {3}", "skks") \
    X(answered, "seat {0} answered the question", "s") \
    X(converted, "seat {0} as {1} tapped seat {2}, who became an alien", "sks") \
    X(helped, "seat {0} as {1} tapped seat {2}, who joined the aliens", "sks") \
    X(passed, "seat {0} as {1} passed the aliens' cards on", "sk") \
    X(redealt, "before the night the tiles of {0} and {1} changed places", "pp") \
    X(slip_marked, "laid {0} at {1}", "kp")
// clang-format on
