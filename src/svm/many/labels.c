/* The classes of data that may live in several processes, of which each has seen some. */
#include <stdlib.h>
#include <string.h>

#include "core/agree.h"
#include "core/collect.h"
#include "svm/many/many.h"

/* The labels that the processes have, one process's after the other's, as rows of a data set without values. */
typedef struct list {
    partan_data labels;
    void *numbers, *texts;
    size_t count;
    uint64_t first; /* of this process's own */
} list;

/* The texts, each with its 0. */
static partan_status join_texts(partan_context *context, const pt_labels *labels, char **joined, size_t *size)
{
    *size = 0;
    for (size_t i = 0; i < labels->count; i++)
        *size += strlen(labels->text[i]) + 1;
    char *at = *joined = pt_alloc(context, *size, 1);
    if (!at)
        return pt_out_of_memory(context, "the classes");
    for (size_t i = 0; i < labels->count; i++) {
        size_t length = strlen(labels->text[i]) + 1;
        memcpy(at, labels->text[i], length);
        at += length;
    }
    return PARTAN_OK;
}

static int compare_words(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Each different word once, as a data set has them; labels are their places. */
static partan_status take_words(partan_context *context, list *l)
{
    char *at = l->texts;
    double *numbers = l->numbers;
    size_t count = 0;
    char **words = l->labels.words = pt_alloc(context, l->count, sizeof *words);
    if (!words)
        return pt_out_of_memory(context, "the classes");
    for (size_t i = 0; i < l->count; i++, at += strlen(at) + 1)
        words[i] = at;
    qsort(words, l->count, sizeof *words, compare_words);
    for (size_t i = 0; i < l->count; i++)
        if (i == 0 || strcmp(words[i], words[count - 1]) != 0)
            words[count++] = words[i];
    at = l->texts;
    for (size_t i = 0; i < l->count; i++, at += strlen(at) + 1) {
        char **found = bsearch(&at, words, count, sizeof *words, compare_words);
        numbers[i] = (double)(found - words);
    }
    l->labels.word_count = count;
    return PARTAN_OK;
}

/* Labels are words everywhere or nowhere. */
static partan_status check_kind(const partan_data *part, pt_comm *comm, const pt_labels *labels, bool *words)
{
    double kinds[2] = {labels->count > 0 && labels->words, labels->count > 0 && !labels->words};
    comm->greatest(comm, kinds, 2);
    *words = kinds[0] > 0;
    if (kinds[0] == 0 || kinds[1] == 0)
        return PARTAN_OK;
    return pt_agree(part->context, comm,
                    pt_fail(part->context, PARTAN_ERROR_DATA,
                            "%s: found labels that are numbers and labels that are words, expected one kind",
                            part->name));
}

static partan_status collect(const partan_data *part, pt_comm *comm, const pt_labels *labels, list *l)
{
    partan_context *context = part->context;
    bool words;
    char *texts = NULL;
    size_t size = 0, sizes = 0;
    partan_status status = check_kind(part, comm, labels, &words);
    if (!status)
        status = join_texts(context, labels, &texts, &size);
    if (!status) {
        pt_count_all(comm, labels->count, &l->first);
        status = pt_collect(context, comm, labels->label, labels->count, sizeof *labels->label, &l->numbers, &l->count);
    }
    if (!status && words)
        status = pt_collect(context, comm, texts, size, 1, &l->texts, &sizes);
    l->labels = (partan_data){.context = context, .name = part->name, .labels = l->numbers};
    l->labels.matrix.rows = l->count;
    if (!status && words)
        status = take_words(context, l);
    pt_free(context, texts);
    return status;
}

partan_status pt_labels_of_all(const partan_data *part, pt_comm *comm, pt_labels *labels, int32_t **class_of)
{
    if (!comm)
        return pt_data_labels(part, labels, class_of);
    partan_context *context = part->context;
    pt_labels own;
    list l = {.count = 0};
    int32_t *class = NULL;
    uint64_t rows = part->matrix.rows;
    partan_status status = pt_agree(context, comm, pt_labels_of_rows(part, &own, class_of));
    if (!status)
        status = collect(part, comm, &own, &l);
    if (!status) {
        comm->sum_integers(comm, &rows, 1);
        status = pt_labels_of_rows(&l.labels, labels, &class);
    }
    if (!status)
        status = pt_agree(context, comm, pt_labels_check(part, labels, rows));
    for (size_t row = 0; row < part->matrix.rows && !status; row++)
        (*class_of)[row] = class[l.first + (size_t)(*class_of)[row]];
    if (status) {
        pt_labels_free(context, labels);
        pt_free(context, *class_of);
        *class_of = NULL;
    }
    pt_labels_free(context, &own);
    pt_free(context, class);
    pt_free(context, l.labels.words);
    pt_free(context, l.numbers);
    pt_free(context, l.texts);
    return status;
}
