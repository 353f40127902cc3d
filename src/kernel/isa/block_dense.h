/* Dense rows, part of the template of vector code: one feature of a tile of rows against one of every column. */

INLINE void dense_tiles(const pt_form form, const bool weigh, const int tiles, const int columns, const pt_block *block,
                        const pt_panel *panel, size_t column, size_t tile, const target *to, size_t at)
{
    vf sum[4][PT_PANEL][PARTS] = {0};
    const size_t features = block->rows->features, width = columns == 1 ? 1 : PT_PANEL;
    const float *x = block->rows->dense + tile * features * PT_TILE;
    const float *z = panel->dense + column;
    for (size_t f = 0; f < features; f++, x += PT_TILE, z += width) {
        UNROLL for (int t = 0; t < tiles; t++)
        {
            UNROLL for (int p = 0; p < PARTS; p++)
            {
                vf row = load(x + (size_t)t * features * PT_TILE + p * LANES);
                UNROLL for (int c = 0; c < columns; c++)
                {
                    vf difference = row - z[c];
                    if (is_dot(form))
                        sum[t][c][p] += row * z[c];
                    else if (form == PT_FORM_RBF)
                        sum[t][c][p] += difference * difference;
                    else
                        sum[t][c][p] += vector_absolute(difference);
                }
            }
        }
    }
    UNROLL for (int t = 0; t < tiles; t++)
    {
        UNROLL for (int p = 0; p < PARTS; p++)
        {
            vf norm = load(block->rows->norms + (tile + (size_t)t) * PT_TILE + p * LANES);
            size_t lane = at + (size_t)t * PT_TILE + (size_t)(p * LANES);
            vf total = {0};
            UNROLL for (int c = 0; c < columns; c++)
            {
                size_t i = column + (size_t)c;
                vf value = finish(form, block, sum[t][c][p], norm, (float)panel->norm[i], (float)panel->beyond[i]);
                total = deliver(weigh, to, i, lane, value, total);
            }
            if (weigh)
                add_widened(to->sums + lane, total);
        }
    }
}

DEFINE_RUN(dense_run, dense_tiles, WIDE_TILES)

static void dense_values(const pt_block *block, const pt_panel *panel, size_t tile, size_t count, const target *to)
{
#define RUN(form) RUN_BOTH(dense_run, form)
    FOR_FORM(block->form, RUN)
#undef RUN
}
