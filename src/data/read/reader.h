/* How text becomes a data set, as the reader's parts share it.
 *
 * Threads take turns at the input, each for one piece of whole lines (read.c, lines.c), and parse their pieces by the
 * grammar of the format (libsvm.c, csv.c). What is in a piece, a batch of rows, is written once, into memory
 * of the thread's own (piece.c, arena.c), and stays there until all is read and the storage can be chosen; then the
 * batches are put into the data set in order (gather.c). */
#ifndef PT_READER_H
#define PT_READER_H

#include "data/data.h"
#include "data/read/arena.h"
#include "data/read/words.h"
#include "data/storage/layout.h"

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
    size_t label;  /* column of the label, from 0; `columns` when there is none */
    size_t weight; /* the same of the row's weight */
} pt_table;

static inline bool pt_table_is_weighted(const pt_table *table)
{
    return table->weight < table->columns;
}

typedef struct pt_grammar pt_grammar;

typedef struct pt_reader {
    partan_context *context;
    const char *name;
    partan_read_options options;
    const pt_grammar *grammar; /* NULL until the first line of data is seen */
    pt_table table;
    pt_source source;      /* for the data set that is made */
    const pt_source *like; /* of the data that a model was trained on, which this is to be read like; or NULL */
    uint64_t like_features;
    bool part; /* of a data set: it may have no rows, or rows of weight 0 only */
} pt_reader;

/* The rows of a piece. */
typedef struct pt_batch {
    pt_slab *slab; /* where its arrays are */
    pt_rows rows;
    const double *labels;     /* one a row; NaN: none, or a word */
    const int32_t *spellings; /* one a row, its label's text in `words`, -1: as numbers are written; NULL: all -1 */
    const int64_t *serials;   /* one a row, -1: its own; precomputed kernels only */
    const double *weights;    /* one a row; NULL: there is no column of them */
    pt_words words;
    size_t lines;
    size_t features; /* largest index + 1 */
    pt_content content;
    size_t bytes;  /* of memory that it takes */
    bool labelled; /* some row has a label */
    bool worded;   /* some label is no number */
} pt_batch;

/* A thread's piece of text, and the batch being made of it. */
typedef struct pt_piece {
    const pt_reader *reader;
    const char *text, *end; /* whole lines, each ended by a line feed; PT_TEXT_PADDING bytes around may be read */
    const char *line;       /* start of the present line */
    pt_trouble trouble;
    pt_batch batch;

    /* Room for as many rows as there are lines, as many values as the grammar says. */
    size_t rows, count, room; /* rows and values found, room for values */
    int64_t *offsets;
    double *labels;
    int64_t *serials; /* NULL: no precomputed kernel */
    double *weights;  /* NULL: no column of them */
    float *values;
    int32_t *indices;   /* NULL: none in this format */
    int32_t *spellings; /* NULL: none so far; they would take the place of the indices */
    bool gaps;          /* some row is not 0 .. count-1 */

    pt_arena arena;
    char *unquoted;
    size_t unquoted_capacity;
    uint64_t *marks; /* where tokens end, see breaks.h */
    size_t mark_capacity;
} pt_piece;

/* A format. */
struct pt_grammar {
    bool indexed; /* rows have indices */
    /* Looks at the first line of data, [line, end) without its line end, and may take it (a header): *taken. */
    partan_status (*begin)(pt_reader *reader, const char *line, const char *end, size_t number, bool *taken);
    /* Values that there are in the text at most. */
    size_t (*values)(const pt_piece *piece, size_t lines);
    /* Reads the lines of a piece up to its end, or to the first trouble. */
    void (*parse)(pt_piece *piece);
};

extern const pt_grammar pt_grammar_libsvm, pt_grammar_table;

/* Chooses the grammar by options, name and first line of data. */
void pt_reader_choose(pt_reader *reader, const char *path, const char *line, const char *end);

/* ---- Pieces ---- */

void pt_piece_init(pt_piece *piece, const pt_reader *reader, size_t slab);
void pt_piece_free(pt_piece *piece);
/* Makes a batch of the text [text, end). In case of trouble there is nothing to release. */
void pt_piece_parse(pt_piece *piece, const char *text, const char *end);
void pt_batch_release(pt_batch *batch);
/* How often a byte is in a text. */
size_t pt_count_byte(const char *text, const char *end, char byte);

/* Ends the row being read, whose `count` values are in place. */
static inline void pt_piece_add(pt_piece *piece, size_t count, size_t features, double label, int64_t serial)
{
    piece->labels[piece->rows] = label;
    if (piece->serials)
        piece->serials[piece->rows] = serial;
    piece->count += count;
    piece->offsets[++piece->rows] = (int64_t)piece->count;
    piece->gaps |= features != count;
    if (features > piece->batch.features)
        piece->batch.features = features;
}

/* Notes the spelling of the label of the row being read, a number in the batch's words. */
void pt_piece_spell(pt_piece *piece, int32_t spelling);

/* Notes that memory is out, or what is wrong at p in the present line, as printf would write it; both return false. */
bool pt_piece_memory(pt_piece *piece);
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
bool pt_piece_trouble(pt_piece *piece, const char *p, const char *format, ...);

enum { PT_QUOTE_SIZE = 176 };
/* [p, end) in quotes, cut to some 40 characters, unprintable ones escaped. */
const char *pt_quote(char buffer[PT_QUOTE_SIZE], const char *p, const char *end);

/* ---- The whole ---- */

/* Makes the data set out of the batches, in order, and releases each as soon as it is copied, so that the peak is
 * little more than the larger of the two forms. After a failure some may still be there. */
partan_status pt_gather(const pt_reader *reader, pt_batch *batches, size_t count, partan_data **data);

#endif
