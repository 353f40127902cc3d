#include "core/thread_tuning.h"

#include "core/clock.h"

/* Pieces between trials: of one thread, while a team is used; of a team that has lost, first and at most. A team that
 * was disturbed for a moment comes back soon; one that loses again and again is tried ever more rarely. */
enum {
    TEAM_INTERVAL = 512,
    SHORTEST_INTERVAL = 32,
    LONGEST_INTERVAL = 1 << 16,
};

#define FRESH     0.2 /* weight of a new time in the running mean */
#define OUTLIER   2.0 /* a time counts as at most this many means: one alone says little */
#define VERY_SLOW 4.0 /* times the other's time: two such pieces end a trial */

void pt_tuning_init(pt_tuning *tuning, int threads)
{
    /* One thread is measured first: it is the yardstick. */
    *tuning = (pt_tuning){.threads = threads, .interval = SHORTEST_INTERVAL, .trial = true};
}

int pt_tuning_begin(pt_tuning *tuning)
{
    if (tuning->threads == 1)
        return 1;
    tuning->start = pt_clock();
    return tuning->team ? tuning->threads : 1;
}

static void use(pt_tuning *tuning, bool team, bool trial)
{
    tuning->team = team;
    tuning->trial = trial;
    tuning->tried = tuning->slow = 0;
    tuning->left = team ? TEAM_INTERVAL : tuning->interval;
}

static void choose(pt_tuning *tuning, bool team)
{
    use(tuning, team, false);
    if (team)
        tuning->interval = SHORTEST_INTERVAL;
    else if (tuning->interval < LONGEST_INTERVAL)
        tuning->interval *= 2;
}

/* The first piece of a trial may have to wake threads, and any may be disturbed. */
static double median(double *times)
{
    for (int i = 1; i < PT_TUNING_TRIAL; i++)
        for (int k = i; k > 0 && times[k] < times[k - 1]; k--) {
            double swap = times[k];
            times[k] = times[k - 1];
            times[k - 1] = swap;
        }
    return times[PT_TUNING_TRIAL / 2];
}

/* The trial is over: the faster is used. */
static void judge(pt_tuning *tuning, bool slow)
{
    double *mine = &tuning->seconds[tuning->team], other = tuning->seconds[!tuning->team];
    if (slow) {
        choose(tuning, !tuning->team);
        return;
    }
    *mine = median(tuning->times);
    if (other == 0)
        use(tuning, !tuning->team, true);
    else
        choose(tuning, *mine < other ? tuning->team : !tuning->team);
}

static void end_trial_piece(pt_tuning *tuning, double time)
{
    double other = tuning->seconds[!tuning->team];
    tuning->times[tuning->tried++] = time;
    tuning->slow += other > 0 && time > VERY_SLOW * other;
    if (tuning->slow == 2 || tuning->tried == PT_TUNING_TRIAL)
        judge(tuning, tuning->slow == 2);
}

void pt_tuning_end(pt_tuning *tuning, double work)
{
    if (tuning->threads == 1)
        return;
    double time = (pt_clock() - tuning->start) / work;
    if (tuning->trial) {
        end_trial_piece(tuning, time);
        return;
    }
    double *mean = &tuning->seconds[tuning->team], other = tuning->seconds[!tuning->team];
    time = time < OUTLIER * *mean ? time : OUTLIER * *mean;
    *mean += FRESH * (time - *mean);
    if (*mean > other) /* what has become slower than the other was hands over at once */
        choose(tuning, !tuning->team);
    else if (--tuning->left == 0)
        use(tuning, !tuning->team, true);
}
