/* Options of svm-train, svm-predict and svm-scale that partan does not have under their letters: some mean nothing here
 * and are accepted, some are options under another name, the others are answered by what to use instead. */
#ifndef CLI_HABITS_H
#define CLI_HABITS_H

#include "command.h"

typedef struct habit {
    bool known;
    int words;          /* of the command line that it takes: the option, and its value if that is a word of its own */
    bool accepted;      /* it asks for what is done anyway, or */
    const char *option; /* it means this option (else NULL) */
    char value[256];    /* with this value; empty for flags */
    char sentence[256]; /* else what to use instead */
} habit;

/* `word` begins with one dash; `next` is the word after it, or NULL. */
habit habit_find(const command *of, const char *word, const char *next);

#endif
