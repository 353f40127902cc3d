#include "habits.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

typedef struct entry {
    const char *command;
    char letter;
    const char *value;    /* the one it is about; NULL: any other */
    const char *sentence; /* @ is the value; NULL: it is accepted */
} entry;

static const entry entries[] = {
    {"train", 's', "0", NULL},
    {"train", 's', "1", "nu-SVMs are not available; use --cost"},
    {"train", 's', "2", "use --problem outlier"},
    {"train", 's', "3", "use --problem regression, with -p for epsilon"},
    {"train", 's', "4", "nu-SVMs are not available; use --problem regression with --epsilon"},
    {"train", 's', NULL, "expected one of 0 to 4; use --problem"},
    {"train", 'b', "0", NULL},
    {"train", 'b', "1", NULL}, /* --probability */
    {"train", 'b', NULL, "takes 0 or 1; or use --probability"},
    {"train", 'h', "0", NULL}, /* there is no shrinking */
    {"train", 'h', "1", NULL},
    {"train", 'w', NULL, "needs a class and a weight, as in -w1 2; or use --class-weight LABEL=W"},
    {"train", 'v', NULL, "for cross-validation use partan cv --folds @ DATA (-v alone is --verbose)"},
    {"train", 'e', NULL, "use --tol, which bounds the relative duality gap: --tol @"},
    {"train", 'm', NULL, "use --cache with a unit: --cache @M"},
    {"train", 'n', NULL, "nu-SVMs are not available; use --cost"},
    {"predict", 'b', "0", NULL},
    {"predict", 'b', "1", NULL},
    {"predict", 'b', NULL, "takes 0 or 1; or use --probability"},
    {"scale", 'l', NULL, "use --minmax LO,HI"},
    {"scale", 'u', NULL, "use --minmax LO,HI"},
    {"scale", 's', NULL, "use --save FILE"},
    {"scale", 'r', NULL, "use --restore FILE"},
    {"scale", 'y', NULL, "labels are not scaled"},
};

static bool is_number(const char *text)
{
    if (!text || !*text)
        return false;
    for (const char *p = text + (*text == '-'); *p; p++)
        if (!isdigit((unsigned char)*p) && *p != '.')
            return false;
    return true;
}

/* Letters that take a value here are no habits. Those that are flags are habits only with a number behind them, which
 * no file is named. */
static bool means_another(const command *of, char letter, const char *value, bool attached)
{
    const partan_option *option;
    for (size_t i = 0; (option = command_option(of, i, NULL)); i++)
        if (option->letter == letter)
            return option->type != PARTAN_OPTION_FLAG || !is_number(value) || (!attached && access(value, F_OK) == 0);
    return false;
}

/* What is said of train holds for all commands that train SVMs. */
static bool is_about(const entry *one, const command *of)
{
    static const char *const training[] = {"path", "tune", "cv"};
    for (size_t i = 0; i < sizeof training / sizeof training[0]; i++)
        if (strcmp(training[i], of->name) == 0)
            return strcmp(one->command, "train") == 0;
    return strcmp(one->command, of->name) == 0;
}

static const entry *find_entry(const command *of, char letter, const char *value)
{
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        const entry *one = &entries[i];
        if (is_about(one, of) && one->letter == letter && (!one->value || (value && strcmp(one->value, value) == 0)))
            return one;
    }
    return NULL;
}

/* -w1 2: the weight of class 1. False when it is not that. */
static bool find_class_weight(const entry *one, const char *word, const char *value, habit *found)
{
    if (one->letter != 'w' || word[2] == '\0' || !value)
        return false;
    found->option = "class-weight";
    return (size_t)snprintf(found->value, sizeof found->value, "%s=%s", word + 2, value) < sizeof found->value;
}

habit habit_find(const command *of, const char *word, const char *next)
{
    habit found = {.words = 1};
    bool attached = word[2] != '\0' && word[1] != 'w'; /* of -w1 2 the 1 is the class */
    const char *value = attached ? word + 2 : next;
    const entry *one = find_entry(of, word[1], value);
    if (!one || means_another(of, word[1], value, attached))
        return found;
    found.known = true;
    found.words = attached || !value ? 1 : 2;
    if (one->letter == 'b' && one->value && strcmp(one->value, "1") == 0)
        found.option = "probability";
    found.accepted = !one->sentence || find_class_weight(one, word, value, &found);
    if (found.accepted)
        return found;
    const char *gap = strchr(one->sentence, '@');
    int before = gap ? (int)(gap - one->sentence) : (int)strlen(one->sentence);
    snprintf(found.sentence, sizeof found.sentence, "%s%s%s: %.*s%s%s", word, found.words == 2 ? " " : "",
             found.words == 2 ? value : "", before, one->sentence,
             !gap    ? ""
             : value ? value
                     : "N",
             gap ? gap + 1 : "");
    return found;
}
