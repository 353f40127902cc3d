#include "core/isa.h"

#include <string.h>

static const char *const names[PT_ISA_COUNT] = {"reference", "portable", "avx2", "avx512"};

const char *pt_isa_name(pt_isa isa)
{
    return names[isa];
}

bool pt_isa_from_name(const char *name, pt_isa *isa)
{
    for (int i = 0; i < PT_ISA_COUNT; i++)
        if (strcmp(name, names[i]) == 0) {
            *isa = (pt_isa)i;
            return true;
        }
    return false;
}

#if defined(PT_HAVE_X86_ISA)

bool pt_isa_available(pt_isa isa)
{
    switch (isa) {
    case PT_ISA_REFERENCE:
    case PT_ISA_PORTABLE:
        return true;
    case PT_ISA_AVX2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case PT_ISA_AVX512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
               && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")
               && __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512vnni");
    }
    return false;
}

#else

bool pt_isa_available(pt_isa isa)
{
    return isa == PT_ISA_REFERENCE || isa == PT_ISA_PORTABLE;
}

#endif

pt_isa pt_isa_best(void)
{
    for (int isa = PT_ISA_COUNT - 1; isa > 0; isa--)
        if (pt_isa_available((pt_isa)isa))
            return (pt_isa)isa;
    return PT_ISA_REFERENCE;
}
