#include "drivers/originality.h"
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <string.h>

enum { HALF = ORIGINALITY_SIGNATURE / 2, DER_MAX = 64, DIGITS = 2 * ORIGINALITY_POINT };
enum { MAKER_NXP = 0x04 };

// NXP publishes these in AN11350 and in the documents of the Ultralight EV1.
static const struct {
    uint8_t maker, product;
    struct originality_key key;
} known[] = {
    {MAKER_NXP, 0x04, {{0x04, 0x49, 0x4E, 0x1A, 0x38, 0x6D, 0x3D, 0x3C, 0xFE, 0x3D, 0xC1,
                        0x0E, 0x5D, 0xE6, 0x8A, 0x49, 0x9B, 0x1C, 0x20, 0x2D, 0xB5, 0xB1,
                        0x32, 0x39, 0x3E, 0x89, 0xED, 0x19, 0xFE, 0x5B, 0xE8, 0xBC, 0x61}}}, // NTAG21x
    {MAKER_NXP, 0x03, {{0x04, 0x90, 0x93, 0x3B, 0xDC, 0xD6, 0xE9, 0x9B, 0x4E, 0x25, 0x5E,
                        0x3D, 0xA5, 0x53, 0x89, 0xA8, 0x27, 0x56, 0x4E, 0x11, 0x71, 0x8E,
                        0x01, 0x72, 0x92, 0xFA, 0xF2, 0x32, 0x26, 0xA9, 0x66, 0x14, 0xB8}}}, // Ultralight EV1
};

const struct originality_key *originality_key_of(uint8_t maker, uint8_t product) {
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].maker == maker && known[i].product == product)
            return &known[i].key;
    return NULL;
}

// NULL if the point is not on the curve, or the library does without such short keys.
static EVP_PKEY *load(const struct originality_key *key) {
    char group[] = "secp128r1";
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, group, 0),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)key->point, sizeof key->point),
        OSSL_PARAM_construct_end(),
    };
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    EVP_PKEY *ret = NULL;
    if (ctx && EVP_PKEY_fromdata_init(ctx) == 1)
        EVP_PKEY_fromdata(ctx, &ret, EVP_PKEY_PUBLIC_KEY, params);
    EVP_PKEY_CTX_free(ctx);
    return ret;
}

bool originality_key_parse(const char *hex, struct originality_key *ret) {
    if (strlen(hex) != DIGITS)
        return false;
    for (size_t i = 0; i < DIGITS; i++) {
        static const char digits[] = "0123456789ABCDEFabcdef";
        const char *digit = strchr(digits, hex[i]);
        if (!digit)
            return false;
        size_t value = (size_t)(digit - digits);
        value = value > 15 ? value - 6 : value;
        ret->point[i / 2] = (uint8_t)(i % 2 ? ret->point[i / 2] | value : value << 4);
    }
    EVP_PKEY *key = ret->point[0] == 0x04 ? load(ret) : NULL;
    EVP_PKEY_free(key);
    ERR_clear_error();
    return key != NULL;
}

// The library wants the two numbers as DER.
static int to_der(const uint8_t signature[ORIGINALITY_SIGNATURE], uint8_t ret[DER_MAX]) {
    ECDSA_SIG *pair = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(signature, HALF, NULL), *s = BN_bin2bn(signature + HALF, HALF, NULL);
    if (!pair || !r || !s || ECDSA_SIG_set0(pair, r, s) != 1) {
        BN_free(r);
        BN_free(s);
        ECDSA_SIG_free(pair);
        return 0;
    }
    unsigned char *at = ret;
    int len = i2d_ECDSA_SIG(pair, NULL);
    len = len > 0 && len <= DER_MAX ? i2d_ECDSA_SIG(pair, &at) : 0;
    ECDSA_SIG_free(pair);
    return len;
}

bool originality_valid(const struct originality_key *key, const uint8_t *uid, size_t len,
                       const uint8_t signature[ORIGINALITY_SIGNATURE]) {
    uint8_t der[DER_MAX];
    int der_len = to_der(signature, der);
    EVP_PKEY *pkey = der_len > 0 ? load(key) : NULL;
    EVP_PKEY_CTX *ctx = pkey ? EVP_PKEY_CTX_new_from_pkey(NULL, pkey, NULL) : NULL;
    bool valid = ctx && EVP_PKEY_verify_init(ctx) == 1 &&
                 EVP_PKEY_verify(ctx, der, (size_t)der_len, uid, len) == 1;
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(pkey);
    ERR_clear_error();
    return valid;
}
