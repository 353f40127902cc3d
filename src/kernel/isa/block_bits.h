/* Packed bits, part of the template of vector code: the distance is a count of differing bits, the dot product a count
 * of common ones. */

INLINE vf finish_count(const pt_form form, const pt_block *block, vu count, float beyond)
{
#if defined(HAVE_DIGITS)
    if (!is_dot(form) && block->digits)
        return vector_digits(block, count + (uint32_t)beyond);
#endif
    vf sum = __builtin_convertvector((vi)count, vf);
    return finish(form, block, sum, (vf){0}, 0, beyond);
}

INLINE void bits_tiles(const pt_form form, const bool weigh, const int tiles, const int columns, const pt_block *block,
                       const pt_panel *panel, size_t column, size_t tile, const target *to, size_t at)
{
    vu sum[4][PT_PANEL][PARTS] = {0};
    const size_t words = block->rows->words, width = columns == 1 ? 1 : PT_PANEL;
    const uint32_t *x = block->rows->bits + tile * words * PT_TILE;
    const uint32_t *z = panel->bits + column;
    for (size_t w = 0; w < words; w++, x += PT_TILE, z += width) {
        UNROLL for (int t = 0; t < tiles; t++)
        {
            UNROLL for (int p = 0; p < PARTS; p++)
            {
                vu row = load_bits(x + (size_t)t * words * PT_TILE + p * LANES);
                UNROLL for (int c = 0; c < columns; c++)
                {
                    sum[t][c][p] += vector_count(is_dot(form) ? row & z[c] : row ^ z[c]);
                }
            }
        }
    }
    UNROLL for (int t = 0; t < tiles; t++)
    {
        UNROLL for (int p = 0; p < PARTS; p++)
        {
            size_t lane = at + (size_t)t * PT_TILE + (size_t)(p * LANES);
            vf total = {0};
            UNROLL for (int c = 0; c < columns; c++)
            {
                size_t i = column + (size_t)c;
                vf value = finish_count(form, block, sum[t][c][p], (float)panel->beyond[i]);
                total = deliver(weigh, to, i, lane, value, total);
            }
            if (weigh)
                add_widened(to->sums + lane, total);
        }
    }
}

DEFINE_RUN(bits_run, bits_tiles, 1)

static void bits_values(const pt_block *block, const pt_panel *panel, size_t tile, size_t count, const target *to)
{
    if (is_dot(block->form))
        RUN_BOTH(bits_run, PT_FORM_LINEAR);
    else /* squared and absolute differences of bits are the same */
        RUN_BOTH(bits_run, PT_FORM_RBF);
}
