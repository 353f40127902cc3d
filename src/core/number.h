/* Numbers and text, exactly and independent of the locale: the decimal point is always a dot. */
#ifndef PT_NUMBER_H
#define PT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PT_NUMBER_SIZE 32 /* a buffer that holds any formatted number */

/* Reads one decimal number at [p, end): optional sign, digits with an optional dot, optional exponent. Returns the
 * first byte after it, or p when there is none. Correctly rounded. "nan", "inf" and hexadecimal are not numbers here;
 * overflow gives an infinity for the caller to reject. Reads nothing at or after `end`. */
const char *pt_parse_real(const char *p, const char *end, double *value);

/* Whole-string versions for options and model files: true when all of `text` is one number of the kind. */
bool pt_text_to_real(const char *text, double *value);
bool pt_text_to_integer(const char *text, int64_t *value);
bool pt_text_to_unsigned(const char *text, uint64_t *value);

/* The shortest text that reads back as the same value; returns its length. buffer has PT_NUMBER_SIZE bytes. */
size_t pt_format_real(char *buffer, double value);
size_t pt_format_float(char *buffer, float value);
size_t pt_format_unsigned(char *buffer, uint64_t value);

#endif
