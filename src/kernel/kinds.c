/* The table of kernel functions: their formulas in double precision, and their properties. */
#include "kernel/kinds.h"

#include <math.h>
#include <string.h>

#include "settings/names.h"

/* ---- Values ---- */

static double power(double base, int exponent)
{
    double result = 1;
    for (; exponent > 0; exponent /= 2) {
        if (exponent % 2)
            result *= base;
        base *= base;
    }
    return result;
}

static double linear(const pt_kernel *kernel, double u)
{
    (void)kernel;
    return u;
}

static double polynomial(const pt_kernel *kernel, double u)
{
    return power(kernel->gamma * u + kernel->coef0, kernel->degree);
}

static double sigmoid(const pt_kernel *kernel, double u)
{
    return tanh(kernel->gamma * u + kernel->coef0);
}

static double exponential(const pt_kernel *kernel, double u)
{
    return kernel->less_one ? expm1(-kernel->gamma * u) : exp(-kernel->gamma * u);
}

/* ---- Errors ---- */

/* The largest |gamma x'z|. */
static double largest(const pt_kernel *kernel, double squared, double longest)
{
    return fabs(kernel->gamma) * sqrt(squared * longest);
}

static double plain_error(const pt_kernel *kernel, double squared, double longest)
{
    (void)kernel, (void)squared, (void)longest;
    return 1;
}

static double rbf_error(const pt_kernel *kernel, double squared, double longest)
{
    (void)longest; /* |x-z|^2 may come as |x|^2 + |z|^2 - 2 x'z */
    return 1 + kernel->gamma * squared;
}

static double sigmoid_error(const pt_kernel *kernel, double squared, double longest)
{
    return 1 + largest(kernel, squared, longest);
}

static double polynomial_error(const pt_kernel *kernel, double squared, double longest)
{
    return kernel->degree * pow(largest(kernel, squared, longest) + fabs(kernel->coef0), kernel->degree);
}

/* ---- The table ---- */

static const pt_kernel_kind kinds[] = {
    [PARTAN_KERNEL_LINEAR] = {.libsvm = true, .metric = PT_METRIC_DOT, .of = linear, .error = plain_error},
    [PARTAN_KERNEL_POLYNOMIAL] = {.gamma = true,
                                  .coef0 = true,
                                  .degree = true,
                                  .libsvm = true,
                                  .metric = PT_METRIC_DOT,
                                  .of = polynomial,
                                  .error = polynomial_error},
    [PARTAN_KERNEL_RBF] = {.gamma = true,
                           .libsvm = true,
                           .decays = true,
                           .metric = PT_METRIC_SQUARES,
                           .of = exponential,
                           .error = rbf_error},
    [PARTAN_KERNEL_SIGMOID] =
        {.gamma = true, .coef0 = true, .libsvm = true, .metric = PT_METRIC_DOT, .of = sigmoid, .error = sigmoid_error},
    [PARTAN_KERNEL_PRECOMPUTED] = {.libsvm = true},
    [PARTAN_KERNEL_LAPLACIAN] =
        {.gamma = true, .decays = true, .metric = PT_METRIC_ABSOLUTE, .of = exponential, .error = plain_error},
};

#define ONE(name) +1
_Static_assert(sizeof kinds / sizeof kinds[0] == PT_KERNEL_NAMES(ONE), "every kernel that has a name has an entry");

const pt_kernel_kind *pt_kernel_kind_of(partan_kernel kind)
{
    return &kinds[kind];
}

int partan_kernel_uses(partan_kernel kernel, const char *setting)
{
    if (!partan_kernel_name(kernel))
        return 0;
    const pt_kernel_kind *kind = pt_kernel_kind_of(kernel);
    return (kind->gamma && strcmp(setting, "gamma") == 0) || (kind->coef0 && strcmp(setting, "coef0") == 0)
           || (kind->degree && strcmp(setting, "degree") == 0);
}
