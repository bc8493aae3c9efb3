/*
 * Test points in the TAP format, which meson reads. A point's name holds what reproduces it.
 * Diagnostics go to standard error too, because `meson test --print-errorlogs` shows only that.
 */
#pragma once
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static int tap_points, tap_failures;

__attribute__((format(printf, 2, 3), unused)) static bool check(bool good, const char *name, ...)
{
    char text[512];
    va_list list;
    va_start(list, name);
    vsnprintf(text, sizeof text, name, list);
    va_end(list);
    printf("%sok %d - %s\n", good ? "" : "not ", ++tap_points, text);
    if (!good) {
        tap_failures++;
        fprintf(stderr, "not ok %d - %s\n", tap_points, text);
    }
    return good;
}

__attribute__((unused)) static void skip(const char *name, const char *why)
{
    printf("ok %d - %s # SKIP %s\n", ++tap_points, name, why);
}

/* To be returned by main. A program that checked nothing has failed. */
__attribute__((unused)) static int done(void)
{
    printf("1..%d\n", tap_points);
    if (tap_points == 0)
        fprintf(stderr, "no test point was reached\n");
    return tap_points == 0;
}
