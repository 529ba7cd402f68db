// A tag as a chip sees it: id, memory, version, signature. Both emulated chips keep their tags so.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NFC_TAG_ID_MAX = 10, NFC_TAG_PAGES = 45, NFC_TAG_ANSWER_MAX = 32 }; // pages of an NTAG213
enum { NFC_TAG_SILENT = -1, NFC_TAG_REFUSES = -2 };

enum nfc_tag_kind {
    NFC_TAG_NTAG213,
    NFC_TAG_ULTRALIGHT, // no version, no signature
    NFC_TAG_CLASSIC,    // another type altogether
    NFC_TAG_KINDS
};

struct nfc_tag {
    uint8_t len, id[NFC_TAG_ID_MAX];
    enum nfc_tag_kind kind;
    uint8_t memory[NFC_TAG_PAGES * 4];
    uint8_t signature[32];
    bool signature_lost; // READ_SIG is refused
    bool deaf;           // answers nothing but its selection
    uint8_t locked_from; // pages behind a password; 0 = none
};

// NTAG213 with an empty message and no valid signature.
void nfc_tag_init(struct nfc_tag *tag, const uint8_t *id, size_t len);
// A text record in its memory; at most 100 bytes.
void nfc_tag_write(struct nfc_tag *tag, const char *text);
uint8_t nfc_tag_sak(const struct nfc_tag *tag);
// The answer to a command after selection, without check bytes: its length, or one of NFC_TAG_SILENT,
// _REFUSES.
int nfc_tag_answer(const struct nfc_tag *tag, const uint8_t *command, size_t n,
                   uint8_t ret[NFC_TAG_ANSWER_MAX]);

// A maker of our own: one pair of keys for each run of the program. Signs as real makers do.
const char *nfc_tag_maker(void); // its public point in hex, for a configuration
void nfc_tag_sign(struct nfc_tag *tag);
