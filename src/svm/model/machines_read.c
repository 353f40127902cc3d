/* Reading native files of models of more than two classes (write.c says how they look). */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "model/source.h"
#include "svm/model/keys.h"
#include "svm/model/machines.h"
#include "svm/model/scaling.h"
#include "svm/model/vectors.h"

#define WEIGHT_SUM_TOLERANCE 1e-6 /* of a file; verify asks for more */

enum { SHORTEST_LINE = sizeof "1 1 1:1 |", SHORTEST_CLASS = sizeof "class a 1", SHORTEST_WEIGHT = sizeof " 1:1" - 1 };

bool pt_is_many(const char *text, size_t size)
{
    static const char start[] = "partan-model 2";
    return size >= sizeof start && memcmp(text, start, sizeof start - 1) == 0;
}

/* ---- Classes ---- */

/* In ascending order, which makes them different ones too. */
static bool follows(const pt_labels *labels, size_t i)
{
    if (i == 0)
        return true;
    return labels->words ? strcmp(labels->text[i - 1], labels->text[i]) < 0 : labels->label[i - 1] < labels->label[i];
}

static partan_status read_class(pt_scan *scan, pt_labels *labels, size_t i)
{
    if (!pt_scan_line(scan))
        return pt_scan_fail_end(scan, "a class");
    pt_word word = pt_scan_word(scan);
    if (!pt_word_is(word, "class"))
        return pt_scan_fail(scan, word, "the key 'class'");
    word = pt_scan_word(scan);
    partan_status status = pt_label_read(scan, word, &labels->text[i]);
    if (status)
        return status;
    labels->label[i] = (double)i;
    if (!labels->words && !pt_text_to_real(labels->text[i], &labels->label[i]))
        return pt_scan_fail(scan, word, "a label that is a number");
    if (!follows(labels, i))
        return pt_scan_fail(scan, word, "a label greater than the one before");
    word = pt_scan_word(scan);
    if (!pt_word_real(word, &labels->weight[i]) || !(labels->weight[i] > 0))
        return pt_scan_fail(scan, word, "the weight of the class, a number above 0");
    return pt_scan_line_done(scan);
}

static partan_status read_classes(pt_scan *scan, partan_model *model)
{
    uint64_t count = 0;
    if (!pt_scan_line(scan))
        return pt_scan_fail_end(scan, "the key 'classes'");
    pt_word word = pt_scan_word(scan);
    if (!pt_word_is(word, "classes"))
        return pt_scan_fail(scan, word, "the key 'classes'");
    word = pt_scan_word(scan);
    if (!pt_word_unsigned(word, &count) || count < 2 || count > pt_scan_left(scan) / SHORTEST_CLASS)
        return pt_scan_fail(scan, word, "a number of classes, 2 or more, as the file can hold");
    bool words = model->labels.words;
    partan_status status = pt_scan_line_done(scan);
    if (!status)
        status = pt_labels_reserve(model->context, (size_t)count, &model->labels);
    model->labels.words = words;
    for (size_t i = 0; i < count && !status; i++)
        status = read_class(scan, &model->labels, i);
    return status;
}

/* ---- Machines ---- */

static partan_status check_machine(const pt_scan *scan, const partan_model *model, size_t i)
{
    const partan_model *machine = model->machines[i];
    int64_t sides[2];
    pt_machine_sides(model->settings.multiclass, model->labels.count, i, sides);
    if (machine->sides[0] != sides[0] || machine->sides[1] != sides[1])
        return pt_fail(scan->context, PARTAN_ERROR_FORMAT,
                       "%s:%ju: found a machine for classes %jd and %jd, expected %jd and %jd", scan->name,
                       (uintmax_t)scan->line, (intmax_t)machine->sides[0], (intmax_t)machine->sides[1],
                       (intmax_t)sides[0], (intmax_t)sides[1]);
    if (machine->result.support_vectors > model->result.support_vectors)
        return pt_fail(scan->context, PARTAN_ERROR_FORMAT,
                       "%s:%ju: found %ju support vectors of a machine, expected no more than the %ju of the model",
                       scan->name, (uintmax_t)scan->line, (uintmax_t)machine->result.support_vectors,
                       (uintmax_t)model->result.support_vectors);
    return PARTAN_OK;
}

/* `claimed` are the support vectors of the machines before it, each of which takes some bytes of the file. */
static partan_status read_machine(pt_scan *scan, partan_model *model, size_t i, uint64_t *claimed)
{
    partan_status status = pt_model_create(model->context, &model->machines[i]);
    if (status)
        return status;
    model->machine_count++;
    partan_model *machine = model->machines[i];
    machine->settings = model->settings;
    status = pt_header_read(scan, &pt_machine_header, machine);
    if (!status)
        status = check_machine(scan, model, i);
    if (status)
        return status;
    *claimed += machine->result.support_vectors;
    if (*claimed > pt_scan_left(scan) / SHORTEST_WEIGHT)
        return pt_fail(
            scan->context, PARTAN_ERROR_FORMAT,
            "%s:%ju: found %ju support vectors of machines so far, expected no more than the rest of the file "
            "can hold",
            scan->name, (uintmax_t)scan->line, (uintmax_t)*claimed);
    size_t room = (size_t)machine->result.support_vectors;
    machine->weights = pt_alloc(model->context, room, sizeof *machine->weights);
    machine->signs = pt_alloc(model->context, room, sizeof *machine->signs);
    machine->members = pt_alloc(model->context, room, sizeof *machine->members);
    return machine->weights && machine->signs && machine->members ? PARTAN_OK
                                                                  : pt_out_of_memory(model->context, "a machine");
}

static partan_status read_machines(pt_scan *scan, partan_model *model)
{
    size_t count = pt_machine_count(model->settings.multiclass, model->labels.count);
    uint64_t claimed = 0;
    if (count > pt_scan_left(scan)) /* each takes several lines */
        return pt_fail(scan->context, PARTAN_ERROR_FORMAT,
                       "%s: found %zu classes, expected no more than the rest of the "
                       "file can hold",
                       scan->name, model->labels.count);
    model->machines = pt_alloc_zero(model->context, count, sizeof *model->machines);
    partan_status status = model->machines ? PARTAN_OK : pt_out_of_memory(model->context, "the machines");
    for (size_t i = 0; i < count && !status; i++)
        status = read_machine(scan, model, i, &claimed);
    return status;
}

/* ---- Support vectors ---- */

static bool takes(const partan_model *machine, int64_t class)
{
    return machine->sides[0] == PT_REST || machine->sides[0] == class || machine->sides[1] == class;
}

/* "machine:weight" of support vector i. */
static partan_status read_weight(pt_scan *scan, partan_model *model, size_t i, pt_word word)
{
    const char *colon = memchr(word.start, ':', (size_t)(word.end - word.start));
    int64_t number;
    double weight;
    if (!colon || !pt_word_integer((pt_word){word.start, colon}, &number)
        || !pt_word_real((pt_word){colon + 1, word.end}, &weight) || weight <= 0)
        return pt_scan_fail(scan, word, "machine:weight, with a weight above 0, or '|'");
    if (number < 1 || (uint64_t)number > model->machine_count)
        return pt_scan_fail(scan, word, "the number of a machine");
    partan_model *machine = model->machines[number - 1];
    bool again = machine->count > 0 && machine->members[machine->count - 1] == i;
    if (!takes(machine, model->class_of[i]) || again || machine->count >= machine->result.support_vectors)
        return pt_scan_fail(scan, word, "a machine that takes the class, with no more support vectors than it has");
    machine->weights[machine->count] = weight;
    machine->signs[machine->count] = machine->sides[1] == model->class_of[i] ? 1 : -1;
    machine->members[machine->count++] = i;
    return PARTAN_OK;
}

/* "row class machine:weight ... |" before the features. */
static partan_status read_head(pt_scan *scan, partan_model *model, size_t i)
{
    int64_t class;
    pt_word word = pt_scan_word(scan);
    if (!pt_word_integer(word, &model->origin[i]) || model->origin[i] < 1 || (uint64_t)model->origin[i] > model->rows)
        return pt_scan_fail(scan, word, "the number of a row of the training data");
    model->origin[i]--;
    word = pt_scan_word(scan);
    if (!pt_word_integer(word, &class) || class < 1 || (uint64_t) class > model->labels.count
        || (i > 0 && class - 1 < model->class_of[i - 1]))
        return pt_scan_fail(scan, word, "the number of a class, in ascending order");
    model->class_of[i] = (int32_t)(class - 1);
    for (word = pt_scan_word(scan); !pt_word_is(word, "|"); word = pt_scan_word(scan)) {
        partan_status status = read_weight(scan, model, i, word);
        if (status)
            return status;
    }
    return PARTAN_OK;
}

static partan_status check_sums(const pt_scan *scan, const partan_model *model)
{
    for (size_t m = 0; m < model->machine_count; m++) {
        const partan_model *machine = model->machines[m];
        double sum = 0;
        for (size_t k = 0; k < machine->count; k++)
            sum += machine->weights[k];
        if (machine->count != machine->result.support_vectors)
            return pt_fail(model->context, PARTAN_ERROR_FORMAT,
                           "%s: found %zu support vectors of machine %zu, expected the %ju that it says it has",
                           scan->name, machine->count, m + 1, (uintmax_t)machine->result.support_vectors);
        if (!(fabs(sum - 1) <= WEIGHT_SUM_TOLERANCE))
            return pt_fail(model->context, PARTAN_ERROR_FORMAT,
                           "%s: found weights of machine %zu that add up to %.9g, expected 1", scan->name, m + 1, sum);
    }
    return PARTAN_OK;
}

static partan_status read_vectors(pt_scan *scan, partan_model *model, size_t size)
{
    pt_vectors vectors;
    pt_vectors_init(&vectors, model, size);
    partan_status status = PARTAN_OK;
    for (size_t i = 0; i < model->count && !status; i++) {
        if (!pt_scan_line(scan)) {
            status = pt_scan_fail_end(scan, "a support vector");
            break;
        }
        status = read_head(scan, model, i);
        if (!status)
            status = pt_vectors_read(&vectors, scan, i, true);
    }
    if (!status)
        status = pt_end_read(scan, "support vector");
    if (!status)
        status = check_sums(scan, model);
    if (!status)
        status = pt_vectors_finish(&vectors, model->storage, (size_t)model->features);
    pt_vectors_free(&vectors);
    return status;
}

static partan_status reserve(const pt_scan *scan, partan_model *model)
{
    uint64_t count = model->result.support_vectors;
    if (count > model->rows || count > pt_scan_left(scan) / SHORTEST_LINE)
        return pt_fail(
            model->context, PARTAN_ERROR_FORMAT,
            "%s:%ju: found %ju support vectors in the header, expected no more than rows, and than the rest of "
            "the file can hold",
            scan->name, (uintmax_t)scan->line, (uintmax_t)count);
    partan_status status = pt_model_reserve(model, (size_t)count);
    model->class_of = status ? NULL : pt_alloc(model->context, (size_t)count, sizeof *model->class_of);
    return status || model->class_of ? status : pt_out_of_memory(model->context, "support vectors");
}

partan_status pt_many_parse(partan_context *context, const char *name, const char *text, size_t size,
                            partan_model *model)
{
    pt_scan scan;
    pt_scan_init(&scan, context, name, text, size);
    model->format = PARTAN_MODEL_NATIVE;
    partan_status status = pt_header_read(&scan, &pt_many_header, model);
    if (!status)
        status = pt_source_check(&scan, &model->source, model->features);
    if (!status)
        status = pt_model_scaling_check(&scan, model);
    if (!status)
        status = reserve(&scan, model);
    if (!status)
        status = read_classes(&scan, model);
    if (!status)
        status = read_machines(&scan, model);
    if (!status)
        status = read_vectors(&scan, model, size);
    if (!status) {
        double seconds = model->result.seconds;
        pt_many_sum_up(model);
        model->result.seconds = seconds;
        if (model->calibration_folds > 0)
            pt_calibrated(model, model->calibration_folds);
    }
    return status;
}
