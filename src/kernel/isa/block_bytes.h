/* Rows held as bytes, part of the template of vector code: sums over features are exact in 32-bit integers, four
 * features of a row to a lane. Distances come without cancellation: |x-z|^2 = |x|^2 + |z|^2 - 2 x'z holds modulo 2^32,
 * and the distance itself is below 2^31. */

INLINE vf finish_bytes(const pt_form form, const pt_block *block, vu sum, vu squares, const pt_panel *panel, size_t c)
{
    if (form == PT_FORM_RBF)
        sum = squares + (uint32_t)panel->norm[c] - 2 * sum;
    if (form == PT_FORM_LAPLACIAN)
        sum += (uint32_t)panel->beyond[c];
    float unit = (float)(form == PT_FORM_LAPLACIAN ? block->scale : block->scale * block->scale);
    return finish(form, block, __builtin_convertvector((vi)sum, vf) * unit, (vf){0}, 0, 0);
}

INLINE void bytes_tiles(const pt_form form, const bool weigh, const int tiles, const int columns, const pt_block *block,
                        const pt_panel *panel, size_t column, size_t tile, const target *to, size_t at)
{
    vu sum[4][PT_PANEL][PARTS];
    const size_t groups = block->rows->groups, width = columns == 1 ? 1 : PT_PANEL;
    const uint8_t *x = block->rows->bytes + tile * groups * PT_TILE * PT_BYTES_GROUP;
    const uint32_t *z = panel->bytes + column;
    UNROLL for (int t = 0; t < tiles; t++)
    {
        UNROLL for (int c = 0; c < columns; c++)
        {
            UNROLL for (int p = 0; p < PARTS; p++)
            {
                sum[t][c][p] = (vu){0} + (form == PT_FORM_LAPLACIAN ? 0 : bytes_start(panel->sum[column + (size_t)c]));
            }
        }
    }
    for (size_t g = 0; g < groups; g++, x += PT_TILE * PT_BYTES_GROUP, z += width) {
        UNROLL for (int t = 0; t < tiles; t++)
        {
            UNROLL for (int p = 0; p < PARTS; p++)
            {
                vu row;
                memcpy(&row, x + ((size_t)t * groups * PT_TILE + (size_t)p * LANES) * PT_BYTES_GROUP, sizeof row);
                if (form != PT_FORM_LAPLACIAN)
                    row = bytes_prepare(row);
                UNROLL for (int c = 0; c < columns; c++)
                {
                    vu other = (vu){0} + z[c];
                    sum[t][c][p] = form == PT_FORM_LAPLACIAN ? bytes_difference(sum[t][c][p], row, other)
                                                             : bytes_dot(sum[t][c][p], row, other);
                }
            }
        }
    }
    UNROLL for (int t = 0; t < tiles; t++)
    {
        UNROLL for (int p = 0; p < PARTS; p++)
        {
            vu squares = load_bits(block->rows->squares + (tile + (size_t)t) * PT_TILE + p * LANES);
            size_t lane = at + (size_t)t * PT_TILE + (size_t)(p * LANES);
            vf total = {0};
            UNROLL for (int c = 0; c < columns; c++)
            {
                size_t i = column + (size_t)c;
                vf value = finish_bytes(form, block, sum[t][c][p], squares, panel, i);
                total = deliver(weigh, to, i, lane, value, total);
            }
            if (weigh)
                add_widened(to->sums + lane, total);
        }
    }
}

DEFINE_RUN(bytes_run, bytes_tiles, WIDE_TILES)

static void bytes_values(const pt_block *block, const pt_panel *panel, size_t tile, size_t count, const target *to)
{
    if (block->form == PT_FORM_RBF)
        RUN_BOTH(bytes_run, PT_FORM_RBF);
    else if (block->form == PT_FORM_LAPLACIAN)
        RUN_BOTH(bytes_run, PT_FORM_LAPLACIAN);
    else
        RUN_BOTH(bytes_run, PT_FORM_LINEAR);
}
