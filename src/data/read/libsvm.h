/* LIBSVM text in its usual form, at speed. */
#ifndef PT_READ_LIBSVM_H
#define PT_READ_LIBSVM_H

#include "data/read/reader.h"

/* Reads lines from `line` on as long as they are plain; returns the first that is not, or the end. The piece's breaks
 * are marked. */
typedef const char *pt_plain_lines(pt_piece *piece, const char *line);

extern pt_plain_lines pt_plain_lines_portable, pt_plain_lines_avx2;

#endif
