// Every kind of card in one line, for people who choose a role set (3): set, team, steps, what it does.
#include "games/one_night/one_night.h"

#define BASE "werewolf set; "
#define DAYBREAK "Daybreak; "
#define VAMPIRES "Vampire; "
#define ALIENS "Alien; "
#define BONUS "bonus packs; "
#define VILLAINS "Super Villains; "
#define RESERVED "reserved, refused: its rules are not given"

static const char *const role_help[ROLES] = {
    [ROLE_DOPPELGANGER] = BASE
    "team of what she copies; 120: looks at another player's card and is that role",
    [ROLE_WEREWOLF] = BASE "team werewolf; 400: werewolves learn of each other",
    [ROLE_MINION] = BASE "team werewolf; 430: learns who the werewolves are",
    [ROLE_MASON] = BASE "village, in pairs; 460: masons learn of each other",
    [ROLE_SEER] = BASE "village; 500: looks at a player's card or two in the centre",
    [ROLE_ROBBER] = BASE "village; 600: exchanges his card with a player's and looks at the new one",
    [ROLE_TROUBLEMAKER] = BASE "village; 700: exchanges two other players' cards",
    [ROLE_DRUNK] = BASE "village; 800: must exchange his card with one of the centre",
    [ROLE_INSOMNIAC] = BASE "village; 900: looks at her own card",
    [ROLE_HUNTER] = BASE "village; if he dies, whom he points at dies too",
    [ROLE_TANNER] = BASE "own team; wins if he dies",
    [ROLE_VILLAGER] = BASE "village",
    [ROLE_SENTINEL] = DAYBREAK "village; 310: puts a shield on another player's card; needs pads h",
    [ROLE_ALPHA_WOLF] = DAYBREAK
    "team werewolf; 410: exchanges the card at c4 with a player's; needs option c4",
    [ROLE_MYSTIC_WOLF] = DAYBREAK "team werewolf; 420: looks at another player's card",
    [ROLE_DREAM_WOLF] = DAYBREAK "team werewolf; shows a thumb and sleeps",
    [ROLE_APPRENTICE_SEER] = DAYBREAK "village; 510: looks at one centre card",
    [ROLE_PARANORMAL_INVESTIGATOR] = DAYBREAK
    "village; 520: looks at two players' cards; becomes what must stop him",
    [ROLE_WITCH] = DAYBREAK "village; 610: looks at a centre card and must give it to a player",
    [ROLE_VILLAGE_IDIOT] = DAYBREAK "village; 710: moves all other cards one seat",
    [ROLE_REVEALER] = DAYBREAK "village; 1000: turns another player's card face up",
    [ROLE_CURATOR] = DAYBREAK "village; 1100: lays an artifact on a player's card; needs pads a",
    [ROLE_BODYGUARD] = DAYBREAK "village; whom he points at cannot be killed",
    [ROLE_COPYCAT] = VAMPIRES "team of what it copies; 110: looks at a centre card and is that role",
    [ROLE_VAMPIRE] = VAMPIRES "team vampire; 200: vampires mark a player together; needs pads k",
    [ROLE_THE_MASTER] = VAMPIRES
    "team vampire; cannot be killed if another vampire votes for him; needs pads k",
    [ROLE_THE_COUNT] = VAMPIRES "team vampire; 210: gives the Mark of Fear; needs pads k",
    [ROLE_RENFIELD] = VAMPIRES "with the vampires; 220: sees them and whom they marked; needs pads k",
    [ROLE_DISEASED] = VAMPIRES "village; 230: marks a neighbour; who votes there cannot win; needs pads k",
    [ROLE_CUPID] = VAMPIRES "village; 240: two lovers, who die together; needs pads k",
    [ROLE_INSTIGATOR] = VAMPIRES "village; 250: makes a traitor; needs pads k",
    [ROLE_PRIEST] = VAMPIRES "village; 260: cleans the own mark and one more; needs pads k",
    [ROLE_ASSASSIN] = VAMPIRES "own team; 270: marks a player who must die; needs pads k",
    [ROLE_APPRENTICE_ASSASSIN] = VAMPIRES "own team; 280: the assassin must die; needs pads k",
    [ROLE_MARKSMAN] = VAMPIRES "village; 530: looks at a card and at another player's mark; needs pads k",
    [ROLE_PICKPOCKET] = VAMPIRES "village; 620: exchanges the own mark and looks at it; needs pads k",
    [ROLE_GREMLIN] = VAMPIRES "village; 730: exchanges two marks or two cards; needs pads k",
    [ROLE_ORACLE] = ALIENS
    "village; 100: is asked a question; answers by pad `answer`, yes, no or the own channel",
    [ROLE_ALIEN] = ALIENS "team alien; 320: aliens learn of each other and are told what to do",
    [ROLE_SYNTHETIC_ALIEN] = ALIENS "own team; wakes with the aliens, wins if it dies",
    [ROLE_COW] = ALIENS "village; 320: feels whether a neighbour is an alien",
    [ROLE_GROOB] = ALIENS "team alien; on its own beside Zerb, who must die then",
    [ROLE_ZERB] = ALIENS "team alien; on its own beside Groob, who must die then",
    [ROLE_LEADER] = ALIENS "village; 450: learns who the aliens are",
    [ROLE_PSYCHIC] = ALIENS "village; 550: looks at cards as drawn",
    [ROLE_RASCAL] = ALIENS "village; 740: moves cards as drawn",
    [ROLE_EXPOSER] = ALIENS "village; 1010: turns centre cards face up as drawn",
    [ROLE_BLOB] = ALIENS "own team; wins if no player of its drawn part dies",
    [ROLE_MORTICIAN] = ALIENS "own team; 1310: looks as drawn; wins if a neighbour dies",
    [ROLE_APPRENTICE_TANNER] = BONUS "own team; 440: sees the tanner, who must die",
    [ROLE_AURA_SEER] = BONUS "village; 720: sees who looked at or moved a card",
    [ROLE_BEHOLDER] = BONUS RESERVED,
    [ROLE_BODY_SNATCHER] = BONUS RESERVED,
    [ROLE_CURSED] = BONUS "village; becomes a werewolf or vampire if one votes for him",
    [ROLE_EMPATH] = BONUS RESERVED,
    [ROLE_NOSTRADAMUS] = BONUS RESERVED,
    [ROLE_PRINCE] = BONUS "village; votes against him do not count",
    [ROLE_SQUIRE] = BONUS "team werewolf; 910: a minion who looks at the werewolves' cards",
    [ROLE_THING] = BONUS "village; 470: taps a neighbour's shoulder",
    [ROLE_TEMPTRESS] = VILLAINS RESERVED,
};

const char *one_night_kind_help(game_kind kind) {
    return kind < ROLES ? role_help[kind] : NULL;
}
