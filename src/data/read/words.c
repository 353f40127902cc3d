#include "data/read/words.h"

#include <string.h>

#include "core/hash.h"

void pt_words_init(pt_words *words, partan_context *context)
{
    *words = (pt_words){.context = context};
}

void pt_words_clear(pt_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        pt_free(words->context, words->texts[i]);
    words->count = 0;
    for (size_t i = 0; i < words->slot_count; i++)
        words->slots[i] = -1;
}

void pt_words_free(pt_words *words)
{
    pt_words_clear(words);
    pt_free(words->context, words->texts);
    pt_free(words->context, words->slots);
    pt_words_init(words, words->context);
}

/* The slot that holds the text, or the free one where it belongs. slot_count is a power of two, never full. */
static size_t find_slot(const pt_words *words, const char *text, size_t size)
{
    size_t slot = (size_t)pt_hash_text(text, size) & (words->slot_count - 1);
    while (words->slots[slot] >= 0) {
        const char *present = words->texts[words->slots[slot]];
        if (strncmp(present, text, size) == 0 && present[size] == '\0')
            break;
        slot = (slot + 1) & (words->slot_count - 1);
    }
    return slot;
}

static bool grow_slots(pt_words *words)
{
    if (words->count * 2 < words->slot_count)
        return true;
    size_t larger = words->slot_count ? words->slot_count * 2 : 16;
    int32_t *slots = pt_alloc(words->context, larger, sizeof *slots);
    if (!slots)
        return false;
    pt_free(words->context, words->slots);
    words->slots = slots;
    words->slot_count = larger;
    memset(slots, 0xff, larger * sizeof *slots);
    for (size_t i = 0; i < words->count; i++)
        slots[find_slot(words, words->texts[i], strlen(words->texts[i]))] = (int32_t)i;
    return true;
}

int32_t pt_words_number(pt_words *words, const char *text, size_t size)
{
    if (!grow_slots(words))
        return -1;
    size_t slot = find_slot(words, text, size);
    if (words->slots[slot] >= 0)
        return words->slots[slot];
    if (words->count >= INT32_MAX
        || pt_reserve(words->context, (void **)&words->texts, &words->capacity, words->count, words->count + 1,
                      sizeof *words->texts))
        return -1;
    char *copy = pt_alloc(words->context, size + 1, 1);
    if (!copy)
        return -1;
    memcpy(copy, text, size);
    copy[size] = '\0';
    words->texts[words->count] = copy;
    words->slots[slot] = (int32_t)words->count;
    return (int32_t)words->count++;
}

int32_t pt_words_find(const pt_words *words, const char *text, size_t size)
{
    return words->slot_count > 0 ? words->slots[find_slot(words, text, size)] : -1;
}
