/* Vector functions for the block template: exp, tanh and integer powers of float32 lanes.
 *
 * exp: x = n ln 2 + r with |r| <= ln 2 / 2; e^r by a polynomial of degree 6 (relative error under 2 units in the last
 * place), times 2^n by adding n to the exponent. Arguments are clamped to the range of normal numbers. */

INLINE vf vector_absolute(vf x)
{
    return (vf)((vu)x & 0x7fffffffu);
}

INLINE vf vector_exp(vf x)
{
    const float magic = 0x1.8p23f; /* adding it rounds to an integer, in the low bits of the sum */
    x = vector_max(x, (vf){0} - 87.3f);
    x = -vector_max(-x, (vf){0} - 88.0f);
    vf shifted = x * 0x1.715476p0f + magic;
    vf n = shifted - magic;
    vf r = x - n * 0x1.62e4p-1f; /* ln 2 in two parts: the first has few bits, so that n times it is exact */
    r = r - n * 0x1.7f7d1cp-20f;
    vf p = r * 0x1.6c16c2p-10f + 0x1.111112p-7f;
    p = p * r + 0x1.555556p-5f;
    p = p * r + 0x1.555556p-3f;
    p = p * r + 0.5f;
    p = p * r + 1;
    p = p * r + 1;
    vi exponent = (vi)shifted << 23;
    return (vf)((vi)p + exponent);
}

INLINE vf vector_tanh(vf x)
{
    vf e = vector_exp(-2 * vector_absolute(x));
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
