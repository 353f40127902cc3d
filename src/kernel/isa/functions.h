/* Vector functions for the template of vector code: 2^-y, tanh and integer powers of float32 lanes.
 *
 * 2^-y for y >= 0: -y = n + r with |r| <= 1/2; 2^r by a polynomial of degree 6 (relative error of a unit in the last
 * place), times 2^n by adding n to the exponent. Arguments are clamped to the range of normal numbers. An instruction
 * set may have a better way: HAVE_DECAY. */

INLINE vf vector_absolute(vf x)
{
    return (vf)((vu)x & 0x7fffffffu);
}

#if !defined(HAVE_DECAY)
INLINE vf vector_decay(vf y)
{
    const float magic = 0x1.8p23f; /* adding it rounds to an integer, in the low bits of the sum */
    vf x = vector_max(-y, (vf){0} - 126);
    vf shifted = x + magic;
    vf r = x - (shifted - magic);
    vf p = r * 0x1.44138ap-13f + 0x1.5f089p-10f;
    p = p * r + 0x1.3b2a54p-7f;
    p = p * r + 0x1.c6af6cp-5f;
    p = p * r + 0x1.ebfbep-3f;
    p = p * r + 0x1.62e43p-1f;
    p = p * r + 1;
    vi exponent = (vi)shifted << 23;
    return (vf)((vi)p + exponent);
}
#endif

/* 2^-y - 1, with the relative precision of float32 for small y too: 2^n (2^r - 1) + (2^n - 1). */
INLINE vf vector_decay_less_one(vf y)
{
    const float magic = 0x1.8p23f;
    vf x = vector_max(-y, (vf){0} - 126);
    vf shifted = x + magic;
    vf r = x - (shifted - magic);
    vf p = r * 0x1.44138ap-13f + 0x1.5f089p-10f;
    p = p * r + 0x1.3b2a54p-7f;
    p = p * r + 0x1.c6af6cp-5f;
    p = p * r + 0x1.ebfbep-3f;
    p = p * r + 0x1.62e43p-1f;
    vf power = (vf)(((vi)shifted << 23) + 0x3f800000);
    return (power * p) * r + (power - 1); /* p * r, shared with 2^-y, would not be fused there */
}

INLINE vf vector_tanh(vf x)
{
    vf e = vector_decay(0x1.715476p1f * vector_absolute(x));
    vf t = (1 - e) / (1 + e);
    return (vf)((vu)t | ((vu)x & 0x80000000u));
}

INLINE vf vector_power(vf base, int degree)
{
    vf power = (vf){0} + 1;
    for (int bits = degree; bits; bits >>= 1) {
        if (bits & 1)
            power *= base;
        base *= base;
    }
    return power;
}
