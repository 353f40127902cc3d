/* A JSON writer: one value after another, commas and escapes done here. Numbers read back exactly; numbers that are not
 * finite, and missing texts, are null. An object without key belongs to the top or to an array. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct json {
    FILE *file;
    bool follows; /* a value stands before the next one: it needs a comma */
} json;

void json_begin(json *out, FILE *file); /* opens the object */
void json_end(json *out);               /* closes it, with a line end */
void json_open(json *out, const char *key);
void json_close(json *out);
void json_open_array(json *out, const char *key);
void json_close_array(json *out);
void json_text(json *out, const char *key, const char *text);
void json_real(json *out, const char *key, double value);
void json_integer(json *out, const char *key, int64_t value);
void json_unsigned(json *out, const char *key, uint64_t value);
void json_boolean(json *out, const char *key, bool value);

#endif
