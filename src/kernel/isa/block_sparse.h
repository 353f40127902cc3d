/* Sparse rows against vertices laid out densely, part of the template of vector code.
 *
 * Sums of products run over a row's nonzeros in their order, so that k(x, z) = k(z, x) to the last bit; as each
 * addition waits for the one before it, four rows go side by side. */

typedef float vp __attribute__((vector_size(4 * PT_PANEL)));      /* a value for each column of a panel */
typedef float vw __attribute__((vector_size(4 * PT_PANEL_WIDE))); /* and of a wide one */

enum { ROWS_ASIDE = 4 };

/* Difference forms sum (share with the row's entry) - (share without it), in double, and add the vertex's norm. */
INLINE double sparse_share(const pt_form form, double x, double z)
{
    return form == PT_FORM_RBF ? x * (x - 2 * z) : fabs(x - z) - fabs(z);
}

INLINE void sparse_differences(const pt_form form, const pt_matrix *rows, const pt_panel *panel, size_t row,
                               size_t lane, float sums[][PT_TILE])
{
    const size_t width = panel->width;
    for (size_t c = 0; c < width; c++) {
        double sum = panel->norm[c] - panel->beyond[c];
        for (int64_t i = rows->offsets[row]; i < rows->offsets[row + 1]; i++) {
            size_t place = pt_panel_place(panel, rows->indices[i]);
            sum += sparse_share(form, rows->values[i], panel->dense[place * width + c]);
        }
        sums[c][lane] = (float)(sum > 0 ? sum : 0);
    }
}

/* Products of ROWS_ASIDE rows with all columns of a panel; `v` is a vector of them. */
#define DEFINE_SPARSE_DOTS(name, v, by_compact)                                                                        \
    INLINE void name##_add(v *sum, const pt_matrix *rows, const pt_panel *panel, int64_t i)                            \
    {                                                                                                                  \
        size_t place = by_compact ? panel->compact[rows->indices[i]] : (size_t)rows->indices[i];                       \
        v z;                                                                                                           \
        memcpy(&z, panel->dense + place * (sizeof z / sizeof(float)), sizeof z);                                       \
        *sum += rows->values[i] * z;                                                                                   \
    }                                                                                                                  \
                                                                                                                       \
    INLINE void name(const pt_matrix *rows, const pt_panel *panel, size_t row, size_t lane, float sums[][PT_TILE])     \
    {                                                                                                                  \
        v sum[ROWS_ASIDE] = {{0}};                                                                                     \
        const int64_t *offsets = rows->offsets + row;                                                                  \
        int64_t common = INT64_MAX;                                                                                    \
        for (int k = 0; k < ROWS_ASIDE; k++)                                                                           \
            common = offsets[k + 1] - offsets[k] < common ? offsets[k + 1] - offsets[k] : common;                      \
        for (int64_t i = 0; i < common; i++)                                                                           \
            UNROLL for (int k = 0; k < ROWS_ASIDE; k++) name##_add(&sum[k], rows, panel, offsets[k] + i);              \
        UNROLL for (int k = 0; k < ROWS_ASIDE; k++)                                                                    \
        {                                                                                                              \
            for (int64_t i = offsets[k] + common; i < offsets[k + 1]; i++)                                             \
                name##_add(&sum[k], rows, panel, i);                                                                   \
            for (size_t c = 0; c < sizeof(v) / sizeof(float); c++)                                                     \
                sums[c][lane + (size_t)k] = sum[k][c];                                                                 \
        }                                                                                                              \
    }

DEFINE_SPARSE_DOTS(sparse_wide, vw, true)
DEFINE_SPARSE_DOTS(sparse_wide_plain, vw, false)
DEFINE_SPARSE_DOTS(sparse_compact, vp, true)
DEFINE_SPARSE_DOTS(sparse_plain, vp, false)

static float sparse_dot(const pt_matrix *rows, const pt_panel *panel, size_t row, size_t column)
{
    float sum = 0;
    for (int64_t i = rows->offsets[row]; i < rows->offsets[row + 1]; i++)
        sum += rows->values[i] * panel->dense[pt_panel_place(panel, rows->indices[i]) * panel->width + column];
    return sum;
}

/* The sums of one tile, sums[column][lane]. */
INLINE void sparse_sums(const pt_form form, const pt_matrix *rows, const pt_panel *panel, size_t first,
                        float sums[][PT_TILE])
{
    size_t lanes = rows->rows - first < PT_TILE ? rows->rows - first : PT_TILE, lane = 0;
    if (is_dot(form) && panel->width == PT_PANEL_WIDE && panel->compact)
        for (; lane + ROWS_ASIDE <= lanes; lane += ROWS_ASIDE)
            sparse_wide(rows, panel, first + lane, lane, sums);
    else if (is_dot(form) && panel->width == PT_PANEL_WIDE)
        for (; lane + ROWS_ASIDE <= lanes; lane += ROWS_ASIDE)
            sparse_wide_plain(rows, panel, first + lane, lane, sums);
    else if (is_dot(form) && panel->compact)
        for (; lane + ROWS_ASIDE <= lanes; lane += ROWS_ASIDE)
            sparse_compact(rows, panel, first + lane, lane, sums);
    else if (is_dot(form) && panel->width == PT_PANEL)
        for (; lane + ROWS_ASIDE <= lanes; lane += ROWS_ASIDE)
            sparse_plain(rows, panel, first + lane, lane, sums);
    for (; lane < lanes; lane++) {
        if (!is_dot(form))
            sparse_differences(form, rows, panel, first + lane, lane, sums);
        for (size_t c = 0; is_dot(form) && c < panel->width; c++)
            sums[c][lane] = sparse_dot(rows, panel, first + lane, c);
    }
}

INLINE void sparse_run(const pt_form form, const bool weigh, const pt_block *block, const pt_panel *panel, size_t tile,
                       size_t tile_count, const target *to)
{
    float sums[PT_PANEL_WIDE][PT_TILE] = {{0}};
    for (size_t t = 0; t < tile_count; t++) {
        size_t first = (tile + t) * PT_TILE;
        sparse_sums(form, block->rows, panel, first, sums);
        for (int p = 0; p < PARTS; p++) {
            vf norm = load(block->rows->norms + first + p * LANES), total = {0};
            size_t lane = t * PT_TILE + (size_t)(p * LANES);
            for (size_t c = 0; c < panel->width; c++) {
                vf value = finish(form, block, load(sums[c] + p * LANES), norm, (float)panel->norm[c],
                                  (float)panel->beyond[c]);
                total = deliver(weigh, to, c, lane, value, total);
            }
            if (weigh)
                add_widened(to->sums + lane, total);
        }
    }
}

static void sparse_values(const pt_block *block, const pt_panel *panel, size_t tile, size_t count, const target *to)
{
#define RUN(form) RUN_BOTH(sparse_run, form)
    FOR_FORM(block->form, RUN)
#undef RUN
}
