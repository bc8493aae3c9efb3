/*
 * What NVML says of a card, by a library of ours (fake_nvml.c); it stays away where the functions
 * or the card are not there.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/nvml.h"
#include "tap.h"

static const char *answers; /* the file that says how it answers */

static void answer(const char *how)
{
    FILE *const file = fopen(answers, "w");
    if (file != NULL) {
        fputs(how, file);
        fclose(file);
    }
}

static struct device_state look(const char *how)
{
    struct device_state state = {.clock_mhz = NAN};
    answer(how);
    check(nvml_look(&state), "it looks where '%.*s'", (int)strcspn(how, "\n"), how);
    return state;
}

static void test_look(void)
{
    const struct device_state calm = look("");
    struct device_state state;
    check(calm.clock_mhz == 1980 && calm.temperature_c == 41 && calm.power_w == 123.5,
          "%g MHz, %g C, %g W", calm.clock_mhz, calm.temperature_c, calm.power_w);
    check(!calm.throttled && !calm.hot && !calm.others, "idle is no hand on the brake");
    check(isnan(look("temperature_status 3\n").temperature_c), "no temperature");
    check(isnan(look("power_status 3\n").power_w), "no power");
    check(nvml_energy() == 12345678.901, "%.3f J since the driver was loaded", nvml_energy());
    answer("energy 18446744073709551\n");
    check(nvml_energy() == 18446744073709.551, "%.3f J, of a long time", nvml_energy());
    answer("energy_status 3\n");
    check(isnan(nvml_energy()), "a card that does not count energy");
    static const struct {
        unsigned bits;
        bool throttled, hot;
    } reasons[] = {{0x2, false, false},  {0x4, true, false},   {0x8, true, false},
                   {0x20, true, true},   {0x40, true, true},   {0x80, true, false},
                   {0x10, false, false}, {0x100, false, false}};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        char how[64];
        snprintf(how, sizeof how, "reasons %u\n", reasons[i].bits);
        state = look(how);
        check(state.throttled == reasons[i].throttled && state.hot == reasons[i].hot,
              "reason %#x: throttled %d, hot %d", reasons[i].bits, state.throttled, state.hot);
    }
    check(!look("processes 2\nbusy 10\n").others, "another one that computes little");
    check(look("processes 2\nbusy 11\n").others, "another one that computes");
    check(!look("processes 1\nbusy 100\n").others, "this one alone");
    check(!look("processes 0\nbusy 100\n").others, "none that is named");
    answer("reasons_status 3\n");
    check(!nvml_look(&state), "without reasons it knows nothing");
}

static void test_describe(void)
{
    struct device_facts facts = {.mig = 7, .persistence = 7};
    answer("busy 12\n");
    nvml_describe(&facts);
    check(strcmp(facts.driver, "580.1") == 0 && facts.power_limit_w == 700, "driver %s, %g W",
          facts.driver, facts.power_limit_w);
    check(facts.busy_percent == 12, "busy");
    check(facts.mig == -1 && facts.persistence == -1, "what the library has not is unknown");
}

static void test_no_card(void)
{
    struct device_facts facts = {.mig = 7};
    struct device_state state;
    check(!nvml_open("0000:02:00.0"), "another card is none");
    nvml_describe(&facts);
    check(isnan(nvml_energy()) && !nvml_look(&state) && facts.mig == -1 &&
              facts.busy_percent == -1 && facts.driver[0] == '\0',
          "of which nothing is known");
}

static void test_lock(void)
{
    char mhz[CLOCK_WORDS] = "";
    answer("");
    check(nvml_lock("0000:01:00.0", mhz) == OK && strcmp(mhz, "1755") == 0, "locked at %s", mhz);
    check(nvml_unlock() == OK, "unlocked");
    answer("unlock_status 15\n");
    check(nvml_unlock() == OK, "and nothing is left to unlock");
    answer("lock_status 4\n");
    check(nvml_lock("0000:01:00.0", mhz) == ERR_ARGS && strstr(reason(), "-lgc 1755") != NULL,
          "refused: %s", reason());
    answer("lock_status 4\nusual_status 3\n");
    check(nvml_lock("0000:01:00.0", mhz) == ERR_ARGS && strstr(reason(), "-lgc MHZ") != NULL,
          "refused: %s", reason());
    check(nvml_lock("0000:02:00.0", mhz) == ERR_ARGS, "no such card: %s", reason());
}

int main(void)
{
    char name[] = "/tmp/reprise-nvml-XXXXXX", log[sizeof name + 6];
    const int fd = mkstemp(name);
    answers = name;
    setenv("FAKE_NVML", name, 1);
    if (check(fd >= 0, "a file in /tmp") && check(nvml_open("0000:01:00.0"), "the card is there")) {
        test_describe();
        test_look();
        test_lock();
        test_no_card();
    }
    snprintf(log, sizeof log, "%s.log", name);
    unlink(log);
    snprintf(log, sizeof log, "%s.looks", name);
    unlink(log);
    unlink(name);
    close(fd);
    return done();
}
