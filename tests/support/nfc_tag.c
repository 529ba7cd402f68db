#include "support/nfc_tag.h"
#include <assert.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>

enum { PAGE = 4, READ_PAGES = 4, FIRST_DATA_PAGE = 4, HALF = 16, POINT = 33 };

void nfc_tag_init(struct nfc_tag *tag, const uint8_t *id, size_t len) {
    static const uint8_t empty[] = {0xE1, 0x10, 0x12, 0x00, 0x01, 0x03, 0xA0, 0x0C, 0x34, 0x03, 0x00, 0xFE};
    *tag = (struct nfc_tag){.len = (uint8_t)len};
    memcpy(tag->id, id, len);
    memcpy(tag->memory + 3 * PAGE, empty, sizeof empty);
}

void nfc_tag_write(struct nfc_tag *tag, const char *text) {
    size_t len = strlen(text);
    uint8_t *to = tag->memory + FIRST_DATA_PAGE * PAGE + 5; // after the lock control TLV
    assert(len <= 100);
    const uint8_t head[] = {0x03, (uint8_t)(len + 7), 0xD1, 0x01, (uint8_t)(len + 3), 'T', 0x02, 'e', 'n'};
    memcpy(to, head, sizeof head);
    memcpy(to + sizeof head, text, len);
    to[sizeof head + len] = 0xFE;
}

uint8_t nfc_tag_sak(const struct nfc_tag *tag) {
    return tag->kind == NFC_TAG_CLASSIC ? 0x08 : 0x00;
}

static int read_pages(const struct nfc_tag *tag, uint8_t page, uint8_t *ret) {
    if (page >= NFC_TAG_PAGES || (tag->locked_from && page + READ_PAGES > tag->locked_from))
        return NFC_TAG_REFUSES;
    for (unsigned i = 0; i < READ_PAGES; i++) // rolls over at the end
        memcpy(ret + i * PAGE, tag->memory + (page + i) % NFC_TAG_PAGES * PAGE, PAGE);
    return READ_PAGES * PAGE;
}

int nfc_tag_answer(const struct nfc_tag *tag, const uint8_t *command, size_t n,
                   uint8_t ret[NFC_TAG_ANSWER_MAX]) {
    static const uint8_t version[] = {0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x0F, 0x03};
    if (tag->deaf || n == 0)
        return NFC_TAG_SILENT;
    if (tag->kind == NFC_TAG_CLASSIC)
        return NFC_TAG_REFUSES;
    if (n == 2 && command[0] == 0x30)
        return read_pages(tag, command[1], ret);
    if (tag->kind == NFC_TAG_ULTRALIGHT)
        return NFC_TAG_REFUSES;
    if (n == 1 && command[0] == 0x60) {
        memcpy(ret, version, sizeof version);
        return sizeof version;
    }
    if (n == 2 && command[0] == 0x3C && command[1] == 0 && !tag->signature_lost) {
        memcpy(ret, tag->signature, sizeof tag->signature);
        return sizeof tag->signature;
    }
    return NFC_TAG_REFUSES;
}

static EVP_PKEY *maker(void) {
    static EVP_PKEY *pair;
    if (!pair)
        pair = EVP_EC_gen("secp128r1");
    assert(pair);
    return pair;
}

const char *nfc_tag_maker(void) {
    static char hex[2 * POINT + 1];
    uint8_t point[POINT + 1];
    size_t n = 0;
    int ok = EVP_PKEY_get_octet_string_param(maker(), OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point, &n);
    assert(ok == 1 && n == POINT);
    (void)ok;
    for (size_t i = 0; i < n; i++)
        snprintf(hex + 2 * i, 3, "%02X", point[i]);
    return hex;
}

void nfc_tag_sign(struct nfc_tag *tag) {
    uint8_t der[80];
    size_t n = sizeof der;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(maker(), NULL);
    bool ok = EVP_PKEY_sign_init(ctx) == 1 && EVP_PKEY_sign(ctx, der, &n, tag->id, tag->len) == 1;
    const uint8_t *at = der;
    ECDSA_SIG *pair = ok ? d2i_ECDSA_SIG(NULL, &at, (long)n) : NULL;
    assert(pair);
    BN_bn2binpad(ECDSA_SIG_get0_r(pair), tag->signature, HALF);
    BN_bn2binpad(ECDSA_SIG_get0_s(pair), tag->signature + HALF, HALF);
    ECDSA_SIG_free(pair);
    EVP_PKEY_CTX_free(ctx);
}
