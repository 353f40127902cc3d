/* The number of processors that the process may use, by control groups that are made up. */
#include "testing.h"

#include <sys/stat.h>

#include "core/cpus.h"
#include "files.h"

static char root[200];

static void make_folders(const char *path)
{
    char buffer[600];
    snprintf(buffer, sizeof buffer, "%s/%s", root, path);
    for (char *at = buffer + strlen(root) + 1; *at; at++)
        if (*at == '/') {
            *at = 0;
            mkdir(buffer, 0700);
            *at = '/';
        }
}

static void write_file(const char *path, const char *text)
{
    char buffer[600];
    make_folders(path);
    snprintf(buffer, sizeof buffer, "%s/%s", root, path);
    make_file(buffer, text);
}

static int make_root(void **state)
{
    (void)state;
    temporary_path(root, sizeof root, "-XXXXXX");
    return mkdtemp(root) ? 0 : -1;
}

static int drop_root(void **state)
{
    char command[300];
    (void)state;
    snprintf(command, sizeof command, "rm -r '%s'", root);
    return system(command);
}

#define GROUPS_TEST(function) cmocka_unit_test_setup_teardown(function, make_root, drop_root)

static void no_control_group_is_no_limit(void **state)
{
    (void)state;
    assert_int_equal(pt_cpus_quota(root), 0);
    write_file("proc/self/cgroup", "0::/\n");
    assert_int_equal(pt_cpus_quota(root), 0);
    write_file("sys/fs/cgroup/cpu.max", "max 100000\n");
    assert_int_equal(pt_cpus_quota(root), 0);
}

static void a_limit_of_version_2_is_rounded_up(void **state)
{
    (void)state;
    write_file("proc/self/cgroup", "0::/\n");
    write_file("sys/fs/cgroup/cpu.max", "100000 100000\n");
    assert_int_equal(pt_cpus_quota(root), 1);
    write_file("sys/fs/cgroup/cpu.max", "250000 100000\n");
    assert_int_equal(pt_cpus_quota(root), 3);
    write_file("sys/fs/cgroup/cpu.max", "5000 100000\n");
    assert_int_equal(pt_cpus_quota(root), 1);
    write_file("sys/fs/cgroup/cpu.max", "nonsense\n");
    assert_int_equal(pt_cpus_quota(root), 0);
}

static void the_least_limit_of_all_groups_above_counts(void **state)
{
    (void)state;
    write_file("proc/self/cgroup", "0::/a/b/c\n");
    write_file("sys/fs/cgroup/a/cpu.max", "200000 100000\n");
    write_file("sys/fs/cgroup/a/b/cpu.max", "800000 100000\n");
    write_file("sys/fs/cgroup/a/b/c/cpu.max", "max 100000\n");
    assert_int_equal(pt_cpus_quota(root), 2);
    write_file("proc/self/cgroup", "0::/x/y\n"); /* a path of the host: not there, but the container's own group is */
    assert_int_equal(pt_cpus_quota(root), 0);
    write_file("sys/fs/cgroup/cpu.max", "300000 100000\n");
    assert_int_equal(pt_cpus_quota(root), 3);
}

static void limits_of_version_1_count_too(void **state)
{
    (void)state;
    write_file("proc/self/cgroup", "5:memory:/\n4:cpuset:/\n3:cpuacct,cpu:/docker/12\n1:name=systemd:/\n0::/\n");
    write_file("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
    write_file("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    assert_int_equal(pt_cpus_quota(root), 0);
    write_file("sys/fs/cgroup/cpu/docker/12/cpu.cfs_quota_us", "150000\n");
    write_file("sys/fs/cgroup/cpu/docker/12/cpu.cfs_period_us", "100000\n");
    assert_int_equal(pt_cpus_quota(root), 2);
}

static void there_is_at_least_one_processor(void **state)
{
    (void)state;
    assert_true(pt_cpus() >= 1);
    int quota = pt_cpus_quota("");
    assert_true(quota == 0 || pt_cpus() <= quota);
}

static void variables_hold_a_number_or_a_list(void **state)
{
    static const struct {
        const char *text;
        int number;
    } cases[] = {{NULL, 0}, {"", 0},   {"3", 3}, {" 4 ", 4}, {"2,8", 2},
                 {"0", 0},  {"-1", 0}, {"x", 0}, {"3x", 0},  {"99999999999", 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(pt_cpus_variable(cases[i].text), cases[i].number);
}

static void the_environment_only_lowers_the_number(void **state)
{
    (void)state;
    partan_limits plain, found;
    partan_limits_init(&plain);
    partan_limits_init(&found);
    unsetenv("OMP_NUM_THREADS");
    unsetenv("OMP_THREAD_LIMIT");
    partan_limits_find(&plain);
    assert_true(plain.threads <= plain.affinity && plain.omp_num_threads == 0);
    setenv("OMP_NUM_THREADS", "1", 1);
    partan_limits_find(&found);
    assert_true(found.threads == 1 && found.omp_num_threads == 1 && found.affinity == plain.affinity);
    setenv("OMP_NUM_THREADS", "1000", 1);
    assert_int_equal(pt_cpus(), plain.threads);
    setenv("OMP_THREAD_LIMIT", "1", 1);
    assert_int_equal(pt_cpus(), 1);
    unsetenv("OMP_NUM_THREADS");
    unsetenv("OMP_THREAD_LIMIT");
}

int main(void)
{
    const struct CMUnitTest tests[] = {GROUPS_TEST(no_control_group_is_no_limit),
                                       GROUPS_TEST(a_limit_of_version_2_is_rounded_up),
                                       GROUPS_TEST(the_least_limit_of_all_groups_above_counts),
                                       GROUPS_TEST(limits_of_version_1_count_too),
                                       cmocka_unit_test(there_is_at_least_one_processor),
                                       cmocka_unit_test(variables_hold_a_number_or_a_list),
                                       cmocka_unit_test(the_environment_only_lowers_the_number)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
