/* Which public functions a test has called, and which ones the headers declare: CALL(partan_train)(...) calls one and
 * takes note of it. */
#ifndef PUBLIC_CALLS_H
#define PUBLIC_CALLS_H

#include <dirent.h>
#include <string.h>

#include "files.h"

enum { MOST_CALLS = 1024, LONGEST_CALL = 64 };

typedef struct public_names {
    char list[MOST_CALLS][LONGEST_CALL];
    size_t count;
} public_names;

static public_names called;

static inline bool public_is_among(const public_names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->list[i], name) == 0)
            return true;
    return false;
}

static inline void public_add(public_names *names, const char *name, size_t length)
{
    char copy[LONGEST_CALL];
    assert_true(length < sizeof copy && names->count < MOST_CALLS);
    memcpy(copy, name, length);
    copy[length] = '\0';
    if (!public_is_among(names, copy))
        memcpy(names->list[names->count++], copy, length + 1);
}

static inline void public_called(const char *name)
{
    public_add(&called, name, strlen(name));
}

#define CALL(function) (public_called(#function), function)

/* The name is what stands before the first parenthesis after PARTAN_API. */
static inline void public_find(const char *text, public_names *declared)
{
    static const char mark[] = "PARTAN_API ";
    for (const char *at = strstr(text, mark); at; at = strstr(at, mark)) {
        at += sizeof mark - 1;
        const char *end = at + strcspn(at, "(;"), *begin = end;
        while (
            begin > at
            && (begin[-1] == '_' || (begin[-1] >= 'a' && begin[-1] <= 'z') || (begin[-1] >= '0' && begin[-1] <= '9')))
            begin--;
        if (*end == '(' && strncmp(begin, "partan_", 7) == 0)
            public_add(declared, begin, (size_t)(end - begin));
    }
}

/* Structs that begin with their size have an init function each. */
static inline void public_find_inits(const char *text, public_names *declared)
{
    static const char mark[] = "\nPARTAN_DECLARE_INIT(";
    for (const char *at = strstr(text, mark); at; at = strstr(at, mark)) {
        char name[LONGEST_CALL];
        at += sizeof mark - 1;
        snprintf(name, sizeof name, "%.*s_init", (int)strcspn(at, ")"), at);
        public_add(declared, name, strlen(name));
    }
}

/* All public functions, from the headers. */
static inline void public_declared(public_names *declared)
{
    static const char folder[] = PT_SOURCE_DIR "/include/partan";
    DIR *headers = opendir(folder);
    assert_non_null(headers);
    declared->count = 0;
    for (struct dirent *entry = readdir(headers); entry; entry = readdir(headers)) {
        char path[1024];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        char *text = file_contents(path, NULL);
        assert_non_null(text);
        public_find(text, declared);
        public_find_inits(text, declared);
        free(text);
    }
    closedir(headers);
}

#endif
