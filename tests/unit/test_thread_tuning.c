/* The choice between one thread and a team, with pieces whose lengths are made up: their start is set back. */
#include "testing.h"

#include "core/clock.h"
#include "core/thread_tuning.h"

/* One piece of `work` units that takes so many seconds a unit; returns whether a team did it. A team that has to be
 * woken takes longer. */
static bool piece(pt_tuning *tuning, double one, double team, double work)
{
    static bool awake;
    bool by_team = pt_tuning_begin(tuning) > 1;
    tuning->start = pt_clock() - (by_team ? (awake ? team : 3 * team) : one) * work;
    awake = by_team;
    pt_tuning_end(tuning, work);
    return by_team;
}

static int team_pieces(pt_tuning *tuning, int pieces, double one, double team)
{
    int count = 0;
    for (int i = 0; i < pieces; i++)
        count += piece(tuning, one, team, 1 + i % 7); /* of different sizes */
    return count;
}

static void the_faster_is_used(void **state)
{
    (void)state;
    pt_tuning tuning;
    pt_tuning_init(&tuning, 2);
    team_pieces(&tuning, 20, 1, 0.5);
    assert_true(team_pieces(&tuning, 2000, 1, 0.5) >= 1900);
    pt_tuning_init(&tuning, 2);
    team_pieces(&tuning, 20, 1, 3);
    assert_true(team_pieces(&tuning, 2000, 1, 3) <= 40);
    pt_tuning_init(&tuning, 1);
    assert_int_equal(team_pieces(&tuning, 100, 1, 0.5), 0);
}

static void one_slow_piece_says_nothing(void **state)
{
    (void)state;
    pt_tuning tuning;
    pt_tuning_init(&tuning, 2);
    team_pieces(&tuning, 20, 1, 0.5);
    for (int i = 0; i < 20; i++) {
        piece(&tuning, 1, 100, 1);
        assert_true(team_pieces(&tuning, 30, 1, 0.5) >= 25);
    }
}

/* Other programs come, and go again. */
static void many_slow_pieces_hand_over_until_it_pays_again(void **state)
{
    (void)state;
    pt_tuning tuning;
    pt_tuning_init(&tuning, 2);
    team_pieces(&tuning, 100, 1, 0.5);
    assert_true(team_pieces(&tuning, 1000, 1, 50) <= 20);
    team_pieces(&tuning, 4000, 1, 0.5);
    assert_true(team_pieces(&tuning, 1000, 1, 0.5) >= 950);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_faster_is_used),
                                       cmocka_unit_test(one_slow_piece_says_nothing),
                                       cmocka_unit_test(many_slow_pieces_hand_over_until_it_pays_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
