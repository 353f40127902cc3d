/* On a terminal one line that is drawn over; elsewhere, when asked for, a plain line every few seconds. The line is
 * made of parts; those that matter least are left out when the terminal is narrow. */
#include "progress.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "human.h"
#include "options.h"

#define PLAIN_INTERVAL 5.0 /* seconds between two plain lines, at least */
enum { PART_SIZE = 64, PARTS = 6 };

typedef struct part {
    char text[PART_SIZE];
    int rank; /* the highest goes first when there is no room */
} part;

static bool terminal_moves(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && !(term && strcmp(term, "dumb") == 0);
}

void progress_setup(invocation *run)
{
    const char *plain = getenv("NO_COLOR");
    run->line.terminal = terminal_moves();
    run->line.enabled = option_flag(run, "progress", run->line.terminal && !run->quiet) && !is_silent(run);
    run->line.colour = run->line.terminal && !(plain && *plain);
}

static size_t terminal_width(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 80;
}

/* "gap 0.0812 -> 0.05": relative when a relative target is set, else absolute. */
static void gap_part(const partan_progress *progress, char *text)
{
    if (progress->iterations <= 0)
        return;
    if (progress->target > 0)
        snprintf(text, PART_SIZE, "gap %.3g -> %.3g", progress->relative_gap, progress->target);
    else
        snprintf(text, PART_SIZE, "gap %.3g", progress->gap);
}

/* An estimate: whole seconds are more than it is worth. */
static void time_left_part(double seconds, char *text)
{
    char number[HUMAN_SIZE];
    if (seconds < 59.5)
        snprintf(text, PART_SIZE, "%.0f s left", seconds);
    else
        snprintf(text, PART_SIZE, "%s left", human_seconds(number, seconds));
}

static void collect(const partan_progress *progress, part parts[PARTS])
{
    char number[HUMAN_SIZE];
    memset(parts, 0, PARTS * sizeof *parts);
    for (int i = 0; i < PARTS; i++)
        parts[i].rank = i;
    snprintf(parts[0].text, PART_SIZE, "%s", progress->phase ? progress->phase : "");
    if (progress->points > 0)
        snprintf(parts[0].text, PART_SIZE, "%s %llu of %llu", progress->phase ? progress->phase : "",
                 (unsigned long long)progress->point, (unsigned long long)progress->points);
    if (progress->done >= 0) {
        double share = progress->done > 1 ? 1 : progress->done;
        snprintf(parts[1].text, PART_SIZE, "%3d%%", (int)(100 * share));
    }
    gap_part(progress, parts[2].text);
    if (progress->iterations > 0)
        snprintf(parts[3].text, PART_SIZE, "%s iterations", human_count(number, (uint64_t)progress->iterations));
    if (progress->active > 0)
        snprintf(parts[4].text, PART_SIZE, "%s active", human_count(number, progress->active));
    if (progress->seconds_left >= 0)
        time_left_part(progress->seconds_left, parts[5].text);
    parts[5].rank = 2; /* the time left matters more than what stands before it */
    parts[2].rank = 3;
    parts[3].rank = 4;
    parts[4].rank = 5;
}

static size_t total_width(const part parts[PARTS])
{
    size_t width = 0;
    for (int i = 0; i < PARTS; i++)
        if (parts[i].text[0])
            width += strlen(parts[i].text) + 2;
    return width;
}

static void fit(part parts[PARTS], size_t width)
{
    for (int rank = PARTS - 1; rank > 0 && total_width(parts) > width; rank--)
        for (int i = 0; i < PARTS; i++)
            if (parts[i].rank == rank)
                parts[i].text[0] = '\0';
    if (total_width(parts) > width) /* only the phase is left */
        parts[0].text[width > 2 ? width - 2 : 0] = '\0';
}

/* The widest bar of a few that fits into so many columns, brackets included; 0: none. Few, so that it does not jump
 * about with every digit that comes and goes. */
static int bar_width(size_t room)
{
    static const int widths[] = {24, 16, 8};
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
        if (room >= (size_t)widths[i] + 3)
            return widths[i];
    return 0;
}

static void draw_bar(const progress_line *line, double share, int width)
{
    int full = (int)(width * (share > 1 ? 1 : share));
    fputs(line->colour ? "[\033[32m" : "[", stderr);
    for (int i = 0; i < width; i++) {
        if (i == full && line->colour)
            fputs("\033[2;39m", stderr);
        fputc(i < full ? '#' : '.', stderr);
    }
    fputs(line->colour ? "\033[0m] " : "] ", stderr);
}

static void draw_parts(const invocation *run, const partan_progress *progress, const part parts[PARTS], int bar)
{
    bool first = true;
    for (int i = 0; i < PARTS; i++) {
        if (!parts[i].text[0])
            continue;
        fputs(first ? "" : "  ", stderr);
        if (i == 1 && bar > 0)
            draw_bar(&run->line, progress->done, bar);
        fputs(parts[i].text, stderr);
        first = false;
    }
}

static void draw_line(invocation *run, const partan_progress *progress)
{
    part parts[PARTS];
    size_t width = terminal_width() - 1; /* the last column would wrap on some terminals */
    collect(progress, parts);
    fit(parts, width + 2);
    int bar = parts[1].text[0] ? bar_width(width + 2 - total_width(parts)) : 0;
    fputc('\r', stderr);
    draw_parts(run, progress, parts, bar);
    fputs("\033[K", stderr);
    fflush(stderr);
    run->line.shown = true;
}

static void print_line(invocation *run, const partan_progress *progress)
{
    double now = seconds_now();
    if (now - run->line.printed < PLAIN_INTERVAL)
        return;
    part parts[PARTS];
    run->line.printed = now;
    collect(progress, parts);
    fprintf(stderr, "partan %s: ", run->command->name);
    draw_parts(run, progress, parts, 0);
    fputc('\n', stderr);
}

/* Of a piece of work as a part of the whole, whose pieces have as many points each. */
static partan_progress of_all_pieces(const progress_line *line, const partan_progress *progress)
{
    partan_progress all = *progress;
    double share = progress->done > 0 ? progress->done : 0, seconds = seconds_now() - line->begun;
    all.done = ((double)line->piece + share) / (double)line->pieces;
    double here = all.done - (double)line->first / (double)line->pieces;
    all.seconds_left = here > 0 ? seconds * (1 - all.done) / here : -1;
    all.point += line->piece * progress->points;
    all.points *= line->pieces;
    return all;
}

int progress_callback(void *user, const partan_progress *progress)
{
    invocation *run = user;
    if (run->together && run->together->poll)
        run->together->poll(run);
    if (!run->line.enabled)
        return 0;
    partan_progress all = *progress;
    if (run->line.pieces > 1)
        all = of_all_pieces(&run->line, progress);
    progress = &all;
    if (run->line.terminal)
        draw_line(run, progress);
    else
        print_line(run, progress);
    return 0;
}

void progress_clear(invocation *run)
{
    if (!run->line.shown)
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    run->line.shown = false;
}
