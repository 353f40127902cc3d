/* Reading the header of a model file, and its last line. */
#include <stdio.h>
#include <string.h>

#include "core/names.h"
#include "core/number.h"
#include "core/option.h"
#include "model/header.h"
#include "model/keys.h"

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Undoes the escapes; NULL in *text, with PARTAN_OK, when the word is no label. */
static partan_status unescape_label(partan_context *context, pt_word word, char **text)
{
    *text = pt_alloc(context, (size_t)(word.end - word.start) + 1, 1);
    if (!*text)
        return pt_out_of_memory(context, "a label");
    char *out = *text;
    bool valid = !pt_word_empty(word);
    for (const char *p = word.start; valid && p < word.end; p++) {
        int byte = (unsigned char)*p;
        if (byte == '\\') {
            int high = word.end - p >= 4 && p[1] == 'x' ? hex_digit(p[2]) : -1;
            int low = high >= 0 ? hex_digit(p[3]) : -1;
            byte = low >= 0 ? 16 * high + low : 0;
            p += 3;
        }
        valid = byte != 0;
        *out++ = (char)byte;
    }
    *out = 0;
    if (!valid) {
        pt_free(context, *text);
        *text = NULL;
    }
    return PARTAN_OK;
}

static bool is_within(const pt_key *key, double value)
{
    return key->option ? pt_option_within(key->option, value) : value >= key->least && value <= key->most;
}

static partan_status refuse_number(const pt_scan *scan, const pt_key *key, pt_word word)
{
    char expected[128];
    pt_phrase setting;
    if (key->option) {
        pt_option_describe(key->option, &setting);
        snprintf(expected, sizeof expected, "the %s, %.80s", key->name, setting.text);
    } else if (key->type == PT_KEY_REAL) {
        snprintf(expected, sizeof expected, "the %s, a number%s", key->name,
                 key->least > 0    ? " above 0"
                 : key->least == 0 ? " not below 0"
                                   : "");
    } else if (key->type == PT_KEY_INTEGER) {
        snprintf(expected, sizeof expected, "the %s, a whole number", key->name);
    } else {
        snprintf(expected, sizeof expected, "the %s, a whole number of at least %g", key->name, key->least);
    }
    return pt_scan_fail(scan, word, expected);
}

static partan_status read_number(const pt_scan *scan, const pt_key *key, pt_word word, char *at)
{
    double as_real = 0;
    bool valid = false;
    if (key->type == PT_KEY_REAL) {
        valid = pt_word_real(word, &as_real);
        memcpy(at, &as_real, sizeof as_real);
    } else if (key->type == PT_KEY_INTEGER) {
        int64_t value = 0;
        valid = pt_word_integer(word, &value);
        as_real = (double)value;
        memcpy(at, &value, sizeof value);
    } else {
        uint64_t value = 0;
        valid = pt_word_unsigned(word, &value);
        as_real = (double)value;
        memcpy(at, &value, sizeof value);
    }
    return valid && is_within(key, as_real) ? PARTAN_OK : refuse_number(scan, key, word);
}

static partan_status read_choice(const pt_scan *scan, const pt_key *key, pt_word word, int *chosen)
{
    char expected[256];
    size_t length = (size_t)snprintf(expected, sizeof expected, "the %s, one of", key->name);
    const char *name;
    for (int value = 0; (name = pt_name(key->names, value)); value++) {
        if (value < key->least || value > key->most)
            continue;
        if (pt_word_is(word, name)) {
            *chosen = value;
            return PARTAN_OK;
        }
        if (length < sizeof expected)
            length += (size_t)snprintf(expected + length, sizeof expected - length, " %s", name);
    }
    return pt_scan_fail(scan, word, expected);
}

static partan_status read_version(const pt_scan *scan, pt_word word, char *version)
{
    size_t length = (size_t)(word.end - word.start);
    if (length == 0 || length >= PT_VERSION_SIZE || memchr(word.start, 0, length))
        return pt_scan_fail(scan, word, "the version of the library that trained the model");
    memcpy(version, word.start, length);
    version[length] = 0;
    return PARTAN_OK;
}

static partan_status read_fingerprint(const pt_scan *scan, pt_word word, char *at)
{
    uint64_t value = 0;
    bool valid = word.end - word.start == 16;
    for (const char *p = word.start; valid && p < word.end; p++) {
        int digit = hex_digit(*p);
        valid = digit >= 0;
        value = value << 4 | (uint64_t)(digit & 15);
    }
    if (!valid)
        return pt_scan_fail(scan, word, "the data's fingerprint, 16 hexadecimal digits");
    memcpy(at, &value, sizeof value);
    return PARTAN_OK;
}

partan_status pt_label_read(const pt_scan *scan, pt_word word, char **text)
{
    partan_status status = unescape_label(scan->context, word, text);
    return status == PARTAN_OK && !*text ? pt_scan_fail(scan, word, "a label") : status;
}

static partan_status read_label(const pt_scan *scan, pt_word word, char *at)
{
    char *text;
    partan_status status = pt_label_read(scan, word, &text);
    memcpy(at, &text, sizeof text);
    return status;
}

static partan_status read_value(const pt_scan *scan, const pt_key *key, pt_word word, void *model)
{
    char *at = (char *)model + key->offset;
    int choice = 0;
    partan_status status;
    switch (key->type) {
    case PT_KEY_CHOICE:
        status = read_choice(scan, key, word, &choice);
        memcpy(at, &choice, sizeof choice);
        return status;
    case PT_KEY_BOOL:
        status = read_choice(scan, key, word, &choice);
        *(bool *)at = choice != 0;
        return status;
    case PT_KEY_FLAG:
        status = read_choice(scan, key, word, &choice);
        memcpy(at, &(int64_t){choice}, sizeof(int64_t));
        return status;
    case PT_KEY_VERSION:
        return read_version(scan, word, at);
    case PT_KEY_FINGERPRINT:
        return read_fingerprint(scan, word, at);
    case PT_KEY_LABEL:
        return read_label(scan, word, at);
    default:
        return read_number(scan, key, word, at);
    }
}

static bool may_skip(pt_word word)
{
    size_t prefix = sizeof PT_KEY_SKIP_PREFIX - 1;
    return (size_t)(word.end - word.start) > prefix && memcmp(word.start, PT_KEY_SKIP_PREFIX, prefix) == 0;
}

/* Whether the next line, past those that may be skipped, has this key; the scan is the function's own. */
static bool is_next(pt_scan scan, const pt_key *key)
{
    while (pt_scan_line(&scan)) {
        pt_word word = pt_scan_word(&scan);
        if (pt_word_is(word, key->name))
            return true;
        if (!may_skip(word))
            return false;
    }
    return false;
}

/* The line of this key, past lines that may be skipped; one that may be left out is found if it is the next. */
static partan_status find_key(pt_scan *scan, const pt_header *header, const pt_key *key, void *model, bool *found)
{
    char expected[64];
    bool taken = false;
    snprintf(expected, sizeof expected, "the key '%s'", key->name);
    *found = !key->optional || is_next(*scan, key);
    while (*found) {
        if (!pt_scan_line(scan))
            return pt_scan_fail_end(scan, expected);
        pt_word word = pt_scan_word(scan);
        if (pt_word_is(word, key->name))
            return PARTAN_OK;
        partan_status status = header->read_other ? header->read_other(scan, word, model, &taken) : PARTAN_OK;
        if (status)
            return status;
        if (!taken && !may_skip(word))
            return pt_scan_fail(scan, word, expected);
    }
    return PARTAN_OK;
}

partan_status pt_header_read(pt_scan *scan, const pt_header *header, void *model)
{
    partan_status status = pt_kind_first_line(scan, header->kind);
    for (size_t i = 0; status == PARTAN_OK && i < header->count; i++) {
        pt_key key = pt_key_resolve(&header->keys[i]);
        bool found = false;
        status = find_key(scan, header, &key, model, &found);
        if (status)
            break;
        if (!found)
            continue;
        pt_word word = pt_scan_word(scan);
        status = read_value(scan, &key, word, model);
        if (status == PARTAN_OK && header->check)
            status = header->check(scan, &key, word, model);
        if (status == PARTAN_OK)
            status = pt_scan_line_done(scan);
    }
    return status;
}

partan_status pt_end_read(pt_scan *scan, const char *what)
{
    char expected[128];
    snprintf(expected, sizeof expected, "the line '" PT_END "' after the last %.64s", what);
    if (!pt_scan_line(scan))
        return pt_scan_fail_end(scan, expected);
    pt_word word = pt_scan_word(scan);
    if (!pt_word_is(word, PT_END))
        return pt_scan_fail(scan, word, expected);
    partan_status status = pt_scan_line_done(scan);
    if (status == PARTAN_OK && pt_scan_line(scan))
        status = pt_scan_fail(scan, pt_scan_word(scan), "the end of the file");
    return status;
}
