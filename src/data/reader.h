/* How text becomes a data set, as the reader's parts share it.
 *
 * Text is read in chunks that end at a line end (read.c). A chunk is cut into pieces, again at line ends, which threads
 * parse by the grammar of the format (read_libsvm.c, read_csv.c) into rows and labels of their own (piece.c). The
 * pieces' results are then appended in order (gather.c), and the chunk is forgotten. */
#ifndef PT_READER_H
#define PT_READER_H

#include "data/data.h"
#include "data/words.h"

/* What is wrong with a piece: the first thing only. */
typedef struct pt_trouble {
    partan_status status;
    size_t line;   /* of the piece, from 0 */
    size_t column; /* from 1 */
    char what[256];
} pt_trouble;

/* The shape of a CSV or TSV file, known from its first line. */
typedef struct pt_table {
    char separator;
    size_t columns;
    size_t label; /* column of the label, from 0; `columns` when there is none */
} pt_table;

typedef struct pt_grammar pt_grammar;

typedef struct pt_reader {
    partan_context *context;
    const char *name;
    partan_read_options options;
    const pt_grammar *grammar; /* NULL until the first line of data is seen */
    pt_table table;
} pt_reader;

typedef struct pt_piece {
    const pt_reader *reader;
    const char *text, *end; /* whole lines, each ended by a line feed that may be read */
    const char *line;       /* start of the present line */
    size_t lines;           /* gone through */
    pt_trouble trouble;

    pt_segment segment; /* the rows */
    double *labels;     /* one a row; NaN: none, or a word */
    size_t label_capacity;
    int32_t
        *spellings; /* one a row from the first one on that needs it: its text in `words`; -1: as numbers are written */
    size_t spelling_capacity;
    int64_t *serials; /* one a row; precomputed kernels only */
    size_t serial_capacity;
    pt_words words;
    bool labelled; /* some row has a label */
    bool spelled;  /* spellings are in use */
    bool worded;   /* some label is no number */

    int32_t *indices; /* the row being read */
    float *values;
    size_t index_capacity, value_capacity;
    char *unquoted;
    size_t unquoted_capacity;
} pt_piece;

/* A format. */
struct pt_grammar {
    /* Looks at the first line of data, [line, end) without its line end, and may take it (a header): *taken. */
    partan_status (*begin)(pt_reader *reader, const char *line, const char *end, size_t number, bool *taken);
    /* Reads the lines of a piece up to its end, or to the first trouble. */
    void (*parse)(pt_piece *piece);
};

extern const pt_grammar pt_grammar_libsvm, pt_grammar_table;

/* Chooses the grammar by options, name and first line of data. */
void pt_reader_choose(pt_reader *reader, const char *path, const char *line, const char *end);

/* ---- Pieces ---- */

void pt_piece_init(pt_piece *piece, const pt_reader *reader);
void pt_piece_clear(pt_piece *piece);
void pt_piece_free(pt_piece *piece);
/* Room for one more entry of the row being read; false and trouble when memory is out. */
bool pt_piece_grow_row(pt_piece *piece, size_t count);
/* Ends the row being read: `count` values (indices in use or not), its label, a spelling or -1, its serial. */
bool pt_piece_add(pt_piece *piece, bool indexed, size_t count, double label, int32_t spelling, int64_t serial);

/* Notes what is wrong at p in the present line; returns false. The second quotes the text [p, end). */
bool pt_piece_memory(pt_piece *piece);
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
bool pt_piece_trouble(pt_piece *piece, const char *p, const char *format, ...);

enum { PT_QUOTE_SIZE = 176 };
/* [p, end) in quotes, cut to some 40 characters, unprintable ones escaped. */
const char *pt_quote(char buffer[PT_QUOTE_SIZE], const char *p, const char *end);

/* ---- The whole ---- */

typedef struct pt_gathered {
    partan_context *context;
    pt_segment *segments;
    size_t segment_count, segment_capacity;
    size_t rows, values;
    double *labels;
    int32_t *spellings;
    int64_t *serials;
    size_t label_capacity, spelling_capacity, serial_capacity;
    pt_words words;
    bool labelled, spelled, worded;
} pt_gathered;

void pt_gathered_init(pt_gathered *gathered, partan_context *context);
void pt_gathered_free(pt_gathered *gathered);
partan_status pt_gathered_append(pt_gathered *gathered, const pt_piece *pieces, size_t count);
/* Makes the data set out of everything and empties it. */
partan_status pt_gathered_finish(pt_gathered *gathered, const pt_reader *reader, partan_data **data);

#endif
