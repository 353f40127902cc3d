#include "row_file.h"

#include <stdlib.h>

#include "interrupt.h"
#include "message.h"
#include "outfile.h"
#include "runtime.h"

enum { PIECE_BYTES = 1 << 16, ROWS_BETWEEN_LOOKS = 1024 };

/* From *row on, up to so many bytes; all where most is 0. */
static int put_rows(invocation *run, const row_file *what, size_t *row, long most, FILE *file)
{
    for (; *row < what->rows && !ferror(file); ++*row) {
        if (most > 0 && ftell(file) >= most)
            return EXIT_DONE;
        if (*row % ROWS_BETWEEN_LOOKS == 0 && interrupt_seen())
            break;
        if (!what->row(what->of, *row, file))
            return failure(run, "out of memory");
    }
    return interrupt_seen() ? failure(run, "interrupted") : EXIT_DONE;
}

/* ---- Pieces ---- */

/* What a process says when it is asked for the next piece: its size, that there is none, or that it cannot go on. */
enum { END = 0, FAILED = -1 };

/* Text of rows, that is sent from. */
typedef struct text {
    char *bytes;
    size_t size, sent;
    size_t row; /* the next one to be put */
} text;

static int put_text(invocation *run, const row_file *what, text *t)
{
    free(t->bytes);
    *t = (text){.row = t->row};
    FILE *file = open_memstream(&t->bytes, &t->size);
    if (!file)
        return failure(run, "out of memory");
    int code = put_rows(run, what, &t->row, PIECE_BYTES, file);
    bool failed = ferror(file);
    if (fclose(file) != 0 || failed)
        code = failure(run, "out of memory");
    return code;
}

/* One that is not the first: as long as the first one asks for more. */
static int send_rows(invocation *run, const row_file *what)
{
    int code = EXIT_DONE;
    char asked;
    text t = {0};
    for (int64_t answer = 1; answer > 0;) {
        run->together->receive(0, &asked, 1);
        if (!asked)
            break;
        if (t.sent == t.size)
            code = put_text(run, what, &t);
        size_t left = t.size - t.sent;
        answer = code != EXIT_DONE ? FAILED : left < PIECE_BYTES ? (int64_t)left : PIECE_BYTES;
        run->together->send(0, &answer, sizeof answer);
        if (answer > 0) {
            run->together->send(0, t.bytes + t.sent, (size_t)answer);
            t.sent += (size_t)answer;
        }
    }
    free(t.bytes);
    return code;
}

/* The next piece of a process; false when it has none. */
static bool take_piece(const invocation *run, int from, FILE *file)
{
    char piece[PIECE_BYTES];
    int64_t size;
    run->together->receive(from, &size, sizeof size);
    if (size == END || size == FAILED)
        return false;
    run->together->receive(from, piece, (size_t)size);
    fwrite(piece, 1, (size_t)size, file);
    return true;
}

/* The first one, after its own rows: those of all others. Where it cannot go on, it says so to them. */
static int receive_rows(invocation *run, int code, FILE *file)
{
    for (int from = 1; from < run->together->processes; from++)
        for (bool more = true; more;) {
            char asked = code == EXIT_DONE && !ferror(file) && !interrupt_seen();
            run->together->send(from, &asked, 1);
            more = asked && take_piece(run, from, file);
        }
    return code == EXIT_DONE && interrupt_seen() ? failure(run, "interrupted") : code;
}

/* ---- All ---- */

static int write_first(invocation *run, const row_file *what, FILE *file)
{
    size_t row = 0;
    if (what->head)
        what->head(what->of, file);
    int code = put_rows(run, what, &row, 0, file);
    return run->together ? receive_rows(run, code, file) : code;
}

int write_row_file(invocation *run, const row_file *what, const char *path)
{
    partan_output out;
    int code = agree_on(run, is_silent(run) ? EXIT_DONE : outfile_open(run, path, &out));
    if (code != EXIT_DONE)
        return code;
    if (is_silent(run)) {
        code = agree_on(run, send_rows(run, what));
        return agree_on(run, code);
    }
    code = agree_on(run, write_first(run, what, out.file));
    if (code == EXIT_DONE)
        code = outfile_commit(run, &out);
    else
        partan_output_abandon(&out);
    return agree_on(run, code);
}
