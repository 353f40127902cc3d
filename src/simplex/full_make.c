/* Making and freeing the simplex problem with its gradient. */
#include "simplex/full.h"

enum {
    LEAST_INDEXED = 2048, /* rows of a part of the index, below which its lists are too short */
    PARTS_A_THREAD = 4,   /* so that threads get even shares */
};

void pt_full_free(pt_problem *problem)
{
    pt_full *f = (pt_full *)problem;
    partan_context *context = problem->context;
    pt_free(context, f->gradient);
    pt_free(context, f->previous);
    pt_free(context, f->chunk_least);
    pt_cache_free(&f->cache);
    pt_index_free(&f->index);
    pt_panel_free(&f->panel[0]);
    pt_panel_free(&f->panel[1]);
    pt_free(context, f);
}

/* By default only where a value costs more than keeping it. */
static size_t cache_budget(const pt_block *block, int64_t bytes, size_t budget)
{
    return bytes < 0 && pt_block_cost(block) < PT_MEMORY_NANOSECONDS ? 0 : budget;
}

static size_t part_rows(const pt_full *f)
{
    size_t rows = f->simplex.points.matrix->rows / (PARTS_A_THREAD * (size_t)f->simplex.problem.context->threads);
    return rows > PT_FULL_ROWS ? PT_FULL_ROWS : rows < LEAST_INDEXED ? LEAST_INDEXED : rows;
}

static size_t index_bytes(const pt_index *index)
{
    size_t bytes = 0;
    for (size_t i = 0; i < index->count; i++)
        bytes += pt_index_part_bytes(&index->parts[i]);
    return bytes;
}

/* The index of sparse rows, where it fits into the budget, of which it takes its part. */
static partan_status make_index(pt_full *f, size_t *budget)
{
    const pt_matrix *rows = f->simplex.points.matrix;
    if (!pt_block_by_index(&f->simplex.block))
        return PARTAN_OK;
    size_t parts = rows->rows / part_rows(f) + 2, lists = parts * rows->features * sizeof(pt_index_list);
    if (lists + (size_t)rows->nonzeros * (sizeof(float) + sizeof(uint16_t)) > *budget)
        return PARTAN_OK;
    partan_status status = pt_index_make(&f->index, rows, part_rows(f));
    if (status)
        return status;
    f->simplex.block.index = &f->index;
    size_t bytes = index_bytes(&f->index);
    *budget -= bytes < *budget ? bytes : *budget;
    return PARTAN_OK;
}

static partan_status full_init(pt_full *f, const pt_kernel *kernel, pt_points points, const pt_dual *dual,
                               int64_t cache_bytes)
{
    partan_context *context = f->simplex.problem.context;
    const pt_matrix *rows = points.matrix;
    size_t budget = pt_simplex_budget(cache_bytes), cached = 0;
    partan_status status = pt_simplex_init(&f->simplex, context, kernel, points, dual);
    if (!status)
        status = make_index(f, &budget);
    if (!status && !f->simplex.share) /* whose columns become longer with every guest */
        cached = cache_budget(&f->simplex.block, cache_bytes, budget);
    if (!status)
        status = pt_cache_init(&f->cache, context, rows->rows, rows->tiles * PT_TILE, cached);
    for (int i = 0; i < 2 && !status; i++)
        status = pt_panel_init(&f->panel[i], &f->simplex.block, rows, 1);
    if (status)
        return status;
    f->packed[0] = f->packed[1] = -1;
    pt_tuning_init(&f->tuning, context);
    f->cost = pt_block_cost(&f->simplex.block);
    if (f->simplex.share) {
        f->guest_block = f->simplex.block;
        f->guest_block.rows = &f->simplex.share->guests;
        f->guest_block.index = NULL;
    }
    f->room = dual->vertices;
    f->most = pt_full_chunks(f) + 1;
    f->gradient = pt_alloc(context, f->room, sizeof *f->gradient);
    f->chunk_least = pt_alloc_zero(context, f->most, sizeof *f->chunk_least);
    return f->gradient && f->chunk_least ? PARTAN_OK : pt_out_of_memory(context, "the gradient");
}

partan_status pt_simplex_full(partan_context *context, const pt_kernel *kernel, pt_points points, const pt_dual *dual,
                              pt_share *share, int64_t cache_bytes, pt_problem **problem)
{
    pt_full *f = pt_alloc_zero(context, 1, sizeof *f);
    if (!f)
        return pt_out_of_memory(context, "the problem");
    f->simplex.problem.ops = share ? &pt_full_shared_ops : &pt_full_ops;
    f->simplex.problem.context = context;
    f->simplex.share = share;
    partan_status status = full_init(f, kernel, points, dual, cache_bytes);
    if (status)
        pt_problem_free(&f->simplex.problem);
    else
        *problem = &f->simplex.problem;
    return status;
}
