/* What every unit test includes: cmocka with its prerequisites, and the context fixture. */
#ifndef TESTING_H
#define TESTING_H

/* cmocka wants these first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arrays.h"
#include "core/context.h"
#include "every.h"

/* Tests of many cases take some of them only where a sanitizer makes them ten times as slow. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(SANITIZED)
#define SOME_OF(cases) ((cases) / 4)
#else
#define SOME_OF(cases) (cases)
#endif

/* setup and teardown for cmocka_unit_test_setup_teardown: *state is a context with two threads. */
static inline int make_context(void **state)
{
    partan_context_options options;
    partan_context_options_init(&options);
    options.threads = 2;
    *state = partan_create(&options);
    return *state ? 0 : -1;
}

/* The same with one thread, for the many small problems that threads only slow down. */
static inline int make_serial_context(void **state)
{
    partan_context_options options;
    partan_context_options_init(&options);
    options.threads = 1;
    *state = partan_create(&options);
    return *state ? 0 : -1;
}

static inline int drop_context(void **state)
{
    partan_destroy(*state);
    return 0;
}

#define CONTEXT_TEST(function) cmocka_unit_test_setup_teardown(function, make_context, drop_context)
#define SERIAL_TEST(function)  cmocka_unit_test_setup_teardown(function, make_serial_context, drop_context)

#endif
