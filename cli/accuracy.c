#include "accuracy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_number(const char *text)
{
    char *end;
    strtod(text, &end);
    return *text && *end == '\0';
}

/* Labels that are numbers are compared as numbers ("1" is "+1.0"), words as words. */
accuracy count_correct(const partan_model *model, const partan_data *data, const double *decision)
{
    accuracy found = {0};
    bool numbers = !partan_data_has_words(data) && is_number(partan_model_label_text(model, 0))
                   && is_number(partan_model_label_text(model, 1));
    char buffer[256];
    for (size_t row = 0; row < partan_data_rows(data); row++) {
        const char *text = numbers ? NULL : partan_data_label_text(data, row, buffer, sizeof buffer);
        double number = numbers ? partan_data_label(data, row) : NAN;
        if (numbers ? isnan(number) : !*text)
            continue;
        int positive = decision[row] > 0;
        found.labelled++;
        if (numbers)
            found.correct += number == partan_model_label(model, positive);
        else
            found.correct += strcmp(text, partan_model_label_text(model, positive)) == 0;
    }
    return found;
}

double accuracy_share(accuracy of)
{
    return of.labelled ? (double)of.correct / (double)of.labelled : NAN;
}
