#include "data/storage/kept.h"

#include "core/team.h"

/* Features are marked in pages that are made when they are needed: memory goes by what is there. */
enum { WORDS = 64, PAGE = 64 * WORDS, PAGES = (int)((INT32_MAX / PAGE) + 1) };

typedef struct page {
    uint64_t bits[WORDS];
    uint32_t before[WORDS]; /* marks before each word, in this page and those before it */
} page;

struct pt_kept {
    partan_context *context;
    page **pages;
    size_t count;
};

#define LEAST_FEATURES ((size_t)1 << 20) /* below, arrays of that length cost nothing */
#define FEATURES_EACH  4                 /* of a nonzero */

bool pt_is_hollow(const pt_matrix *matrix)
{
    return matrix->storage == PARTAN_STORAGE_SPARSE && matrix->features > LEAST_FEATURES
           && matrix->nonzeros < matrix->features / FEATURES_EACH;
}

/* ---- Marks ---- */

static bool mark(pt_kept *kept, const pt_matrix *matrix)
{
    for (uint64_t k = 0; k < matrix->nonzeros; k++) {
        uint32_t feature = (uint32_t)matrix->indices[k], at = feature % PAGE;
        page **place = &kept->pages[feature / PAGE];
        if (!*place)
            *place = pt_alloc_zero(kept->context, 1, sizeof **place);
        if (!*place)
            return false;
        (*place)->bits[at / 64] |= (uint64_t)1 << at % 64;
    }
    return true;
}

static uint32_t count_bits(uint64_t word)
{
    uint32_t count = 0;
    for (; word; word &= word - 1)
        count++;
    return count;
}

static void number(pt_kept *kept)
{
    uint32_t count = 0;
    for (size_t i = 0; i < PAGES; i++)
        for (size_t word = 0; kept->pages[i] && word < WORDS; word++) {
            kept->pages[i]->before[word] = count;
            count += count_bits(kept->pages[i]->bits[word]);
        }
    kept->count = count;
}

partan_status pt_kept_make(partan_context *context, const pt_matrix *a, const pt_matrix *b, pt_kept **out)
{
    *out = NULL;
    pt_kept *kept = pt_alloc_zero(context, 1, sizeof *kept);
    if (!kept)
        return pt_out_of_memory(context, "the features that are there");
    kept->context = context;
    kept->pages = pt_alloc_zero(context, PAGES, sizeof(page *));
    if (kept->pages && mark(kept, a) && (!b || mark(kept, b))) {
        number(kept);
        *out = kept;
        return PARTAN_OK;
    }
    pt_kept_free(kept);
    return pt_out_of_memory(context, "the features that are there");
}

void pt_kept_free(pt_kept *kept)
{
    if (!kept)
        return;
    for (size_t i = 0; kept->pages && i < PAGES; i++)
        pt_free(kept->context, kept->pages[i]);
    pt_free(kept->context, kept->pages);
    pt_free(kept->context, kept);
}

size_t pt_kept_count(const pt_kept *kept)
{
    return kept->count;
}

void pt_kept_list(const pt_kept *kept, int32_t *features)
{
    for (size_t i = 0; i < PAGES; i++)
        for (size_t at = 0; kept->pages[i] && at < PAGE; at++)
            if (kept->pages[i]->bits[at / 64] >> at % 64 & 1)
                *features++ = (int32_t)(i * PAGE + at);
}

/* ---- Views ---- */

static int32_t rank(const pt_kept *kept, int32_t feature)
{
    uint32_t at = (uint32_t)feature % PAGE;
    const page *place = kept->pages[(uint32_t)feature / PAGE];
    uint64_t lower = place->bits[at / 64] & (((uint64_t)1 << at % 64) - 1);
    return (int32_t)(place->before[at / 64] + count_bits(lower));
}

int64_t pt_kept_rank(const pt_kept *kept, int64_t feature)
{
    bool possible = feature >= 0 && feature <= INT32_MAX;
    const page *place = possible ? kept->pages[feature / PAGE] : NULL;
    if (!place || !(place->bits[feature % PAGE / 64] >> feature % 64 & 1))
        return -1;
    return rank(kept, (int32_t)feature);
}

partan_status pt_kept_view(const pt_kept *kept, const pt_matrix *source, pt_matrix *view)
{
    int32_t *indices = pt_alloc(source->context, (size_t)source->nonzeros, sizeof *indices);
    *view = (pt_matrix){0};
    if (!indices)
        return pt_out_of_memory(source->context, "the features that are there");
    for (uint64_t k = 0; k < source->nonzeros; k++)
        indices[k] = rank(kept, source->indices[k]);
    *view = *source;
    view->indices = indices;
    view->features = kept->count > 0 ? kept->count : 1;
    return PARTAN_OK;
}

void pt_kept_view_free(pt_matrix *view)
{
    if (view->context)
        pt_free(view->context, view->indices);
    *view = (pt_matrix){0};
}
