/*
 * The emulated device against plain C, bit for bit, in both orders of threads; then planted bugs,
 * each of which must end its launch with a sentence that names the kernel and the block.
 */
#include "test_emulated.h"

#include <assert.h>
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine/device.h"
#include "tap.h"

static const char *order;
static const char *const orders[] = {"ascending", "descending"};

static void *allocate(size_t bytes)
{
    void *memory = NULL;
    if (device_alloc(&memory, bytes) != OK) {
        fprintf(stderr, "%s\n", reason());
        exit(1);
    }
    return memory;
}

static void *upload(const void *host, size_t bytes)
{
    void *const memory = allocate(bytes);
    const enum status status = device_put(memory, host, bytes);
    assert(status == OK);
    (void)status;
    return memory;
}

/* Whether all launches so far went well and `device` now holds the bytes of `expected`. */
static bool holds(const void *device, const void *expected, size_t bytes)
{
    unsigned char *const got = calloc(1, bytes);
    size_t i = 0;
    const bool came =
        device_launched("any") == OK && device_sync() == OK && device_get(got, device, bytes) == OK;
    if (came)
        while (i < bytes && got[i] == ((const unsigned char *)expected)[i])
            i++;
    if (i < bytes)
        fprintf(stderr, "%s\n", came ? "values differ" : reason());
    if (came && i < bytes)
        fprintf(stderr, "first at byte %zu of %zu\n", i, bytes);
    free(got);
    return i == bytes;
}

/* Repeatable numbers of ordinary size. */
static double number(uint64_t i)
{
    i = (i + 1) * 0x9e3779b97f4a7c15u;
    i = (i ^ i >> 31) * 0xbf58476d1ce4e5b9u;
    return (double)(i >> 11) / 9007199254740992.0 - 0.25;
}

/* Arrays of either precision are kept as doubles; a result of + - * / that is rounded to double and
 * then to float is what float arithmetic gives. */
static double as(bool wide, double x)
{
    return wide ? x : (double)(float)x;
}

static void *packed(bool wide, const double *values, size_t n)
{
    assert(n > 0 && n < (size_t)1 << 30);
    void *const out = calloc(n, sizeof(double));
    for (size_t i = 0; i < n; i++)
        if (wide)
            ((double *)out)[i] = values[i];
        else
            ((float *)out)[i] = (float)values[i];
    return out;
}

static size_t size_of(bool wide, size_t n)
{
    return n * (wide ? sizeof(double) : sizeof(float));
}

static void *upload_as(bool wide, const double *values, size_t n)
{
    void *const host = packed(wide, values, n);
    void *const device = upload(host, size_of(wide, n));
    free(host);
    return device;
}

static bool holds_as(bool wide, const void *device, const double *expected, size_t n)
{
    void *const host = packed(wide, expected, n);
    const bool same = holds(device, host, size_of(wide, n));
    free(host);
    return same;
}

static double *numbers(bool wide, size_t n, uint64_t seed)
{
    double *const out = malloc(n * sizeof *out);
    for (size_t i = 0; i < n; i++)
        out[i] = as(wide, number(seed + i));
    return out;
}

static void test_average(bool wide, size_t n)
{
    double *const x = numbers(wide, n + 1, 1), *const y = numbers(wide, n + 1, n);
    double *const expected = malloc((n + 1) * sizeof *expected);
    void *const on_x = upload_as(wide, x, n), *const on_y = upload_as(wide, y, n);
    for (size_t i = 0; i < n; i++)
        expected[i] = as(wide, as(wide, x[i] + y[i]) / 3);
    expected[n] = 17; /* a guard that the kernel must leave alone */
    void *const out = upload_as(wide, expected + n, 1), *const all = upload_as(wide, x, n + 1);
    device_copy((char *)all + size_of(wide, n), out, size_of(wide, 1));
    launch_average(wide, all, on_x, on_y, (long)n);
    check(holds_as(wide, all, expected, n + 1), "average wide=%d n=%zu %s", wide, n, order);
    device_free(out);
    device_free(all);
    device_free(on_x);
    device_free(on_y);
    free(expected);
    free(x);
    free(y);
}

static void test_columns(bool wide)
{
    enum { COLUMNS = 77, ROWS = 19 };
    double *const u = numbers(wide, COLUMNS * ROWS, 5);
    void *const device = upload_as(wide, u, COLUMNS * ROWS);
    for (int i = COLUMNS; i < COLUMNS * ROWS; i++)
        u[i] = as(wide, as(wide, u[i - COLUMNS] + u[i]) / 3);
    launch_columns(wide, device, COLUMNS, ROWS);
    check(holds_as(wide, device, u, COLUMNS * ROWS), "columns wide=%d %s", wide, order);
    device_free(device);
    free(u);
}

static void test_stencil(bool wide, int steps)
{
    enum { BLOCKS = 5, N = BLOCKS * STENCIL_BLOCK };
    double *const u = numbers(wide, N, 9);
    void *const in = upload_as(wide, u, N), *const out = allocate(size_of(wide, N));
    for (int step = 0; step < steps; step++)
        for (int b = 0; b < BLOCKS; b++) {
            double *const tile = u + b * STENCIL_BLOCK;
            double left = tile[0];
            for (int i = 1; i < STENCIL_BLOCK - 1; i++) {
                const double two = as(wide, 0.25 * left + 0.5 * tile[i]);
                left = tile[i];
                tile[i] = as(wide, two + 0.25 * tile[i + 1]);
            }
        }
    launch_stencil(wide, out, in, steps, BLOCKS);
    check(holds_as(wide, out, u, N), "stencil wide=%d steps=%d %s", wide, steps, order);
    device_free(in);
    device_free(out);
    free(u);
}

/* The tree of __shfl_down_sync: lanes beyond the warp add their own value, but never count. */
static double warp_sum(bool wide, double *lanes)
{
    for (int by = 16; by > 0; by /= 2)
        for (int i = 0; i < by; i++)
            lanes[i] = as(wide, lanes[i] + lanes[i + by]);
    return lanes[0];
}

static void test_block_sums(bool wide, long n)
{
    enum { BLOCKS = 3, WARPS = SUM_BLOCK / 32 };
    double *const x = numbers(wide, (size_t)n, 3), sums[BLOCKS];
    void *const in = upload_as(wide, x, (size_t)n), *const out = allocate(BLOCKS * sizeof(double));
    for (int b = 0; b < BLOCKS; b++) {
        double thread[SUM_BLOCK] = {0}, warps[32] = {0};
        for (int t = 0; t < SUM_BLOCK; t++)
            for (long i = b * SUM_BLOCK + t; i < n; i += BLOCKS * SUM_BLOCK)
                thread[t] = as(wide, thread[t] + x[i]);
        for (int w = 0; w < WARPS; w++)
            warps[w] = warp_sum(wide, thread + 32 * w);
        sums[b] = warp_sum(wide, warps);
    }
    launch_block_sums(wide, out, in, n, BLOCKS);
    check(holds_as(wide, out, sums, BLOCKS), "block sums wide=%d n=%ld %s", wide, n, order);
    device_free(in);
    device_free(out);
    free(x);
}

/* What PTX says of shfl: the source lane, in a group of `width` lanes. */
static int source_lane(int kind, int lane, int offset, int width)
{
    const int base = lane / width * width, last = base + width - 1;
    offset %= 32;
    switch (kind) {
    case 0:
        return base + offset % width;
    case 1:
        return lane - offset >= base ? lane - offset : lane;
    case 2:
        return lane + offset <= last ? lane + offset : lane;
    default:
        return (lane ^ offset) <= last ? lane ^ offset : lane;
    }
}

static void test_shuffles(int threads)
{
    const size_t bytes = (size_t)(SHUFFLE_KINDS * WIDTHS * OFFSETS * threads) * sizeof(int);
    int *const expected = malloc(bytes), *next = expected;
    int *const out = allocate(bytes);
    for (int kind = 0; kind < SHUFFLE_KINDS; kind++)
        for (int w = 0; w < WIDTHS; w++)
            for (int offset = 0; offset < OFFSETS; offset++)
                for (int t = 0; t < threads; t++) {
                    const int source = t / 32 * 32 + source_lane(kind, t % 32, offset, 32 >> w);
                    *next++ = source < threads ? source : -1; /* -1: that lane does not exist */
                }
    launch_shuffles(out, threads);
    check(holds(out, expected, bytes), "shuffles threads=%d %s", threads, order);
    device_free(out);
    free(expected);
}

static void test_warps(void)
{
    double doubles[32], *const on_doubles = allocate(sizeof doubles);
    unsigned votes[64], *const on_votes = allocate(sizeof votes);
    int diverged[64], *const on_diverged = allocate(sizeof diverged);
    for (int i = 0; i < 32; i++)
        doubles[i] = 1.0 / (32 - i);
    launch_doubled_shuffle(on_doubles);
    check(holds(on_doubles, doubles, sizeof doubles), "shuffle of doubles %s", order);

    /* Threads of the masks stay, the others' results stay as allocated. */
    for (unsigned i = 0; i < 64; i++) {
        const unsigned mask[2] = {0xb6db6db6u, 0x6db6db6du};
        const bool stays = (mask[i / 32] >> i % 32 & 1) != 0;
        votes[i] = stays ? mask[1 - i / 32] & 0x55555555u : 0xffffffffu;
    }
    launch_survivors(on_votes);
    check(holds(on_votes, votes, sizeof votes), "early exits %s", order);

    for (int i = 0; i < 32; i++)
        votes[i] = i >= 5 && i < 20 ? 0x000fffe0u : 0xffffffffu;
    unsigned *const on_left = allocate(32 * sizeof votes[0]);
    launch_leavers(on_left);
    check(holds(on_left, votes, 32 * sizeof votes[0]), "lanes that have ended %s", order);

    for (int i = 0; i < 64; i++)
        diverged[i] = i % 2 == 0 ? 3 * (i ^ 2) + 1000 : 3 * (i ^ 4) + (i < 32 ? 1000 : 0);
    launch_diverged(on_diverged);
    check(holds(on_diverged, diverged, sizeof diverged), "diverged masks %s", order);
    device_free(on_doubles);
    device_free(on_votes);
    device_free(on_left);
    device_free(on_diverged);
}

static void test_barrier_votes(int threads, int limit)
{
    const size_t bytes = (size_t)threads * 3 * sizeof(int);
    int *const expected = malloc(bytes), *const out = allocate(bytes);
    for (int i = 0; i < threads; i++) {
        expected[3 * i] = limit;
        expected[3 * i + 1] = limit > 0;
        expected[3 * i + 2] = limit == threads;
    }
    launch_barrier_votes(out, threads, limit);
    check(holds(out, expected, bytes), "barrier votes %d of %d %s", limit, threads, order);
    device_free(out);
    free(expected);
}

static void test_atomics(void)
{
    enum { N = 1000 };
    int x[N], bins[HISTOGRAM_BINS] = {0}, integers[5] = {0, -1, 1 << 30, 0, 0};
    unsigned long long words[4] = {0, 0, ~0ull, 0};
    float f = 0;
    double d = 0;
    int *const on_bins = upload(bins, sizeof bins), *const on_integers =
                                                        upload(integers, sizeof x[0] * 5);
    unsigned long long *const on_words = upload(words, sizeof words);
    float *const on_f = upload(&f, sizeof f);
    double *const on_d = upload(&d, sizeof d);
    for (int i = 0; i < N; i++) {
        x[i] = (int)(number((uint64_t)i) * 4 + 1) % HISTOGRAM_BINS;
        bins[x[i]]++;
    }
    int *const on_x = upload(x, sizeof x);
    launch_histogram(on_bins, on_x, N);
    check(holds(on_bins, bins, sizeof bins), "histogram %s", order);

    launch_atomics(on_integers, on_words, on_f, on_d, N);
    integers[0] = N * (N - 1) / 2;
    integers[1] = N - 1;
    integers[2] = -5;
    integers[3] = 1;
    integers[4] = 77;
    words[0] = (unsigned long long)N << 33;
    words[1] = (unsigned long long)(N - 1) << 32;
    words[2] = 0;
    words[3] = 3 * N;
    f = N * 0.5f;
    d = N * 0.25;
    check(holds(on_integers, integers, sizeof integers) && holds(on_words, words, sizeof words) &&
              holds(on_f, &f, sizeof f) && holds(on_d, &d, sizeof d),
          "atomics %s", order);
    device_free(on_x);
    device_free(on_bins);
    device_free(on_integers);
    device_free(on_words);
    device_free(on_f);
    device_free(on_d);
}

static void test_transpose(int n)
{
    const size_t count = (size_t)n * (size_t)n;
    double *const in = numbers(true, count, 21), *const turned = malloc(count * sizeof *turned);
    double *const on_in = upload(in, count * sizeof *in), *const out = allocate(count * sizeof *in);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            turned[j * n + i] = in[i * n + j];
    launch_transpose(out, on_in, n);
    check(holds(out, turned, count * sizeof *in), "transpose n=%d %s", n, order);
    device_free(on_in);
    device_free(out);
    free(in);
    free(turned);
}

static void test_jacobi(int n, int steps, int blocks)
{
    const size_t bytes = (size_t)n * sizeof(double);
    double *const u = numbers(true, (size_t)n, 31);
    double *const on_u = upload(u, bytes), *const scratch = allocate(bytes);
    for (int step = 0; step < steps; step++) {
        double left = u[0];
        for (int i = 1; i < n - 1; i++) {
            const double value = 0.5 * (left + u[i + 1]);
            left = u[i];
            u[i] = value;
        }
    }
    launch_jacobi(on_u, scratch, n, steps, blocks);
    check(holds(steps % 2 == 0 ? on_u : scratch, u, bytes), "jacobi n=%d steps=%d blocks=%d %s", n,
          steps, blocks, order);
    device_free(on_u);
    device_free(scratch);
    free(u);
}

static void test_positions(void)
{
    int expected[2 * 3 * 2 * 4 * 3 * 2], *const out = allocate(sizeof expected);
    for (int b = 0; b < 12; b++)
        for (int t = 0; t < 24; t++)
            expected[b * 24 + t] = t % 4 + 10 * (t / 4 % 3) + 100 * (t / 12) + 1000 * (b % 2) +
                                   10000 * (b / 2 % 3) + 100000 * (b / 6);
    launch_positions(out);
    check(holds(out, expected, sizeof expected), "positions %s", order);
    device_free(out);
}

static float from_bits(uint32_t bits)
{
    float out;
    memcpy(&out, &bits, sizeof out);
    return out;
}

/* a * b rounded towards zero, in integers: 24 by 24 bits, then the digits that fit are kept. */
static uint32_t product_towards_zero(uint32_t a, uint32_t b)
{
    const uint32_t sign = (a ^ b) & 0x80000000u, most = 0x7f7fffffu;
    const int ea = a >> 23 & 255, eb = b >> 23 & 255;
    uint64_t digits = (uint64_t)((a & 0x7fffffu) | (ea > 0 ? 0x800000u : 0)) *
                      ((b & 0x7fffffu) | (eb > 0 ? 0x800000u : 0));
    int exponent = (ea > 0 ? ea : 1) + (eb > 0 ? eb : 1) - 2 * 150; /* of the last digit */
    assert(ea < 255 && eb < 255);
    while (digits >= 1u << 24 || (digits > 0 && exponent < -149)) {
        digits >>= 1;
        exponent++;
    }
    while (digits > 0 && digits < 1u << 23 && exponent > -149) {
        digits <<= 1;
        exponent--;
    }
    if (exponent > 127 - 23 && digits > 0)
        return sign | most;
    if (digits < 1u << 23)
        return sign | (uint32_t)digits;
    return sign | ((uint32_t)(exponent + 150) << 23) | ((uint32_t)digits & 0x7fffffu);
}

/* Random bit patterns, every fourth pair with a product near or below the least normal number; no
 * NaN, and infinities only at the end. */
static void test_rounding(void)
{
    enum { N = 100000, SPECIAL = 4 };
    const size_t bytes = N * sizeof(float);
    float *const x = malloc(3 * bytes), *const out = malloc(ROUNDINGS * bytes);
    float *const a = x, *const b = x + N, *const c = x + 2 * N;
    uint64_t seed = 1;
    int wrong[ROUNDINGS] = {0}, subnormal = 0, largest = 0;
    for (int i = 0; i < 3 * N; i++) {
        do {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            uint32_t bits = (uint32_t)(seed >> 32);
            if (i % 4 == 0)
                bits = (bits & 0x80ffffffu) | 0x1f800000u;
            else if (i % 4 == 1)
                bits = (bits & 0x807fffffu) | (uint32_t)(seed >> 20 & 15) << 23;
            else if (i % 4 == 2)
                bits = (bits & 0x81ffffffu) | 0x3e000000u;
            x[i] = from_bits(bits);
        } while (!(fabsf(x[i]) < INFINITY));
    }
    a[N - 1] = INFINITY, b[N - 1] = -2;
    a[N - 2] = 0, b[N - 2] = -3;
    a[N - 3] = from_bits(1), b[N - 3] = -from_bits(1);
    a[N - 4] = 3, b[N - 4] = -3;
    float *const on_x = upload(x, 3 * bytes), *const on_out = allocate(ROUNDINGS * bytes);
    launch_rounding(on_out, on_x, on_x + N, on_x + 2 * N, N);
    if (device_get(out, on_out, ROUNDINGS * bytes) != OK)
        fprintf(stderr, "%s\n", reason());
    for (int i = 0; i < N; i++) {
        uint32_t bits[3];
        memcpy(&bits[0], &a[i], sizeof bits[0]);
        memcpy(&bits[1], &b[i], sizeof bits[0]);
        memcpy(&bits[2], &out[i], sizeof bits[0]);
        const volatile float va = a[i], vb = b[i], vc = c[i], product = va * vb;
        const uint32_t model = i == N - 1 ? 0xff800000u : product_towards_zero(bits[0], bits[1]);
        fesetround(FE_TOWARDZERO);
        const volatile float sum = va + vb;
        fesetround(FE_TONEAREST);
        const volatile float separate = product + vc;
        const float expected[ROUNDINGS] = {from_bits(model), sum, separate, separate,
                                           fmaf(a[i], b[i], c[i])};
        subnormal += fabsf(out[i]) < 0x1p-126f && out[i] != 0;
        largest += (bits[2] & 0x7fffffffu) == 0x7f7fffffu;
        for (int k = 0; k < ROUNDINGS; k++) /* infinity less infinity is any NaN */
            wrong[k] += isnan(expected[k]) ? !isnan(out[k * N + i])
                                           : memcmp(&expected[k], &out[k * N + i], 4) != 0;
    }
    static const char *const names[] = {"__fmul_rz", "__fadd_rz", "__fmul_rn, then +",
                                        "*, then __fadd_rn", "__fmaf_rn"};
    for (int k = 0; k < ROUNDINGS; k++)
        check(wrong[k] == 0, "%s on %d pairs, %d products subnormal, %d largest %s", names[k], N,
              subnormal, largest, order);
    device_free(on_x);
    device_free(on_out);
    free(x);
    free(out);
}

/* Rows in bulk; `bug`: how many values are wrong in spite of a launch without a word. */
static int wrong_in_rows(int rows, int bug)
{
    const size_t count = (size_t)rows * ROW_VALUES, bytes = count * sizeof(double);
    double *const x = numbers(true, count, 41), *const got = calloc(count, sizeof *got);
    double *const in = upload(x, bytes), *const out = allocate(bytes);
    int wrong = 0;
    launch_rows(out, in, rows, bug);
    const bool came = device_launched("rows") == OK && device_get(got, out, bytes) == OK;
    for (size_t i = 0; i < count; i++)
        wrong += !(got[i] == 2 * x[i]);
    device_free(in);
    device_free(out);
    free(x);
    free(got);
    return came ? wrong : -1;
}

static void test_relay(int blocks)
{
    double expected[RELAY_MOST][2];
    float narrow[RELAY_MOST][4];
    void *const mail = allocate((size_t)2 * RELAY_MOST * 16), *const sums =
                                                                  allocate(sizeof expected);
    bool all = true;
    for (int launch = 0; launch < 5; launch++) {
        for (int b = 0; b < blocks; b++) {
            expected[b][0] = 100.0 * launch * blocks + 0.5 * blocks * (blocks - 1);
            expected[b][1] = blocks;
            const float v[4] = {(float)expected[b][0], (float)blocks, 0, 0};
            memcpy(narrow[b], v, sizeof v);
        }
        if (launch == 0) {
            void *const other = allocate((size_t)2 * RELAY_MOST * 16);
            launch_relay_narrow(sums, other, blocks);
            all = all && holds(sums, narrow, (size_t)blocks * sizeof narrow[0]);
            device_free(other);
        }
        launch_relay(sums, mail, blocks, launch, NO_BUG);
        all = all && holds(sums, expected, (size_t)blocks * sizeof expected[0]);
    }
    check(all, "messages of %d blocks in five launches %s", blocks, order);
    device_free(mail);
    device_free(sums);
}

static void test_ring(int blocks)
{
    enum { ROUNDS = 20 };
    uint64_t now[RELAY_MOST], next[RELAY_MOST];
    void *const mail = allocate((size_t)2 * RELAY_MOST * 16), *const out = allocate(sizeof now);
    for (int b = 0; b < blocks; b++)
        now[b] = UINT64_C(0x0123456789abcdef) * (uint64_t)(b + 1);
    for (int round = 0; round < ROUNDS; round++) {
        for (int b = 0; b < blocks; b++)
            next[b] = 3 * now[(b + blocks - 1) % blocks] + now[(b + 1) % blocks];
        memcpy(now, next, sizeof now);
    }
    launch_ring(out, mail, blocks, ROUNDS, NO_BUG);
    check(holds(out, now, (size_t)blocks * sizeof now[0]), "letters in a ring of %d blocks %s",
          blocks, order);
    device_free(mail);
    device_free(out);
}

static void test_tallies(int blocks)
{
    enum { ROUNDS = 20 };
    unsigned expected[RELAY_MOST];
    unsigned *const sums = allocate(sizeof expected), *const words = allocate(2 * sizeof expected);
    const unsigned none = 0, count = (unsigned)blocks;
    unsigned *const tally = upload(&none, sizeof none);
    for (int b = 0; b < blocks; b++)
        expected[b] = count * (count - 1) / 2 + count * ROUNDS;
    launch_tallies(sums, words, tally, blocks, ROUNDS, NO_BUG);
    check(holds(sums, expected, (size_t)blocks * sizeof *expected), "tallies of %d blocks %s",
          blocks, order);
    device_free(tally);
    device_free(words);
    device_free(sums);
}

/* The bits of a plain loop that fuses, ascending. */
static void test_matrices(int warps, int times)
{
    const size_t rows = (size_t)warps * 16, bytes = rows * 8 * sizeof(double);
    double *const a = numbers(true, rows * 8, 51), *const b = numbers(true, 64, 52);
    double *const expected = calloc(rows * 8, sizeof *expected);
    double *const from = upload(a, bytes), *const by = upload(b, 64 * sizeof *b);
    double *const to = allocate(bytes);
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < 8; c++)
            for (int i = 0; i < times; i++)
                for (size_t k = 0; k < 8; k++)
                    expected[8 * r + c] = fma(a[8 * r + k], b[8 * k + c], expected[8 * r + c]);
    launch_matrices(to, from, by, warps, times);
    check(holds(to, expected, bytes), "%d products of matrices in %d warps %s", times, warps,
          order);
    device_free(to);
    device_free(by);
    device_free(from);
    free(expected);
    free(b);
    free(a);
}

static void test_right_kernels(void)
{
    const size_t sizes[] = {1, 2, 127, 128, 129, 1000};
    for (int wide = 0; wide < 2; wide++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            test_average(wide, sizes[i]);
        test_columns(wide);
        test_stencil(wide, 1);
        test_stencil(wide, 8);
        test_block_sums(wide, 1);
        test_block_sums(wide, 5003);
    }
    const int threads[] = {1, 31, 32, 33, 75, 1024};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++)
        test_shuffles(threads[i]);
    test_warps();
    test_barrier_votes(100, 37);
    test_barrier_votes(100, 0);
    test_barrier_votes(1024, 1024);
    test_atomics();
    test_transpose(64);
    test_jacobi(1000, 21, 1);
    test_jacobi(1000, 20, 6);
    test_jacobi(3000, 7, 64);
    test_positions();
    test_rounding();
    check(wrong_in_rows(1, NO_BUG) == 0 && wrong_in_rows(7, NO_BUG) == 0, "rows in bulk %s", order);
    test_matrices(1, 1);
    test_matrices(3, 5);
    setenv("REPRISE_EMULATED_BLOCKS", "7", 1);
    test_relay(7);
    test_ring(7);
    test_tallies(7);
    unsetenv("REPRISE_EMULATED_BLOCKS");
    for (int blocks = 1; blocks <= (int)blocks_of_relay(); blocks++) {
        test_relay(blocks);
        test_ring(blocks);
        test_tallies(blocks);
    }
}

/* A planted bug runs in a child, because its failure stays; what reason() says comes back. */
static void ask_child(void (*plant)(void), char *sentence, size_t size)
{
    int ends[2];
    size_t used = 0;
    sentence[0] = '\0';
    fflush(NULL);
    if (pipe(ends) != 0)
        return;
    const pid_t child = fork();
    if (child == 0) {
        plant();
        const char *text = "nothing was reported";
        if (device_launched("planted") != OK || device_sync() != OK)
            text = reason();
        const ssize_t written = write(ends[1], text, strlen(text));
        _exit(written == (ssize_t)strlen(text) ? 0 : 1);
    }
    close(ends[1]);
    for (ssize_t got;
         used < size - 1 && (got = read(ends[0], sentence + used, size - 1 - used)) > 0;)
        used += (size_t)got;
    sentence[used] = '\0';
    close(ends[0]);
    int status = 1;
    if (child > 0 && (waitpid(child, &status, 0) != child || status != 0))
        snprintf(sentence, size, "the child ended with status %d", status);
}

static void plant_sticky(void)
{
    int *const out = allocate(64 * sizeof *out);
    launch_divergent_barrier();
    const bool told = device_launched("divergent_barrier") == ERR_DEVICE;
    const bool again = device_sync() == ERR_DEVICE && device_put(out, &told, 1) == ERR_DEVICE;
    launch_missing_barrier(out);
    if (!told || !again)
        _exit(2);
}

static void plant_divergent_descending(void)
{
    device_thread_order("descending");
    launch_divergent_barrier();
}

static void plant_foreign_free(void)
{
    int *const out = allocate(64);
    device_free(out + 1);
}

static void rows_with(int bug)
{
    setenv("REPRISE_EMULATED_PATIENCE", "0.2", 1);
    if (wrong_in_rows(5, bug) > 0)
        _exit(2);
}
#define ROWS_WITH(bug)                                                                             \
    static void plant_##bug(void)                                                                  \
    {                                                                                              \
        rows_with(bug);                                                                            \
    }
ROWS_WITH(NO_WAIT)
ROWS_WITH(WRONG_PARITY)
ROWS_WITH(NO_FENCE)
ROWS_WITH(LEFT_STORE)
ROWS_WITH(LEFT_LOAD)
ROWS_WITH(TOO_FEW_ARRIVALS)
ROWS_WITH(TOO_MANY_ARRIVALS)
ROWS_WITH(TOO_FEW_BYTES)
ROWS_WITH(TOO_MANY_BYTES)
ROWS_WITH(NO_ARRIVAL)
ROWS_WITH(ODD_BYTES)
ROWS_WITH(ODD_PLACE)

static void relay_with(int bug)
{
    setenv("REPRISE_EMULATED_PATIENCE", "0.2", 1);
    void *const mail = allocate((size_t)2 * RELAY_MOST * 16), *const sums = allocate(1000);
    launch_relay(sums, mail, 3, 0, bug);
}

static void plant_no_message(void)
{
    relay_with(NO_MESSAGE);
}

static void plant_half_a_message(void)
{
    relay_with(HALF_A_MESSAGE);
}

static void ring_with(int bug)
{
    setenv("REPRISE_EMULATED_PATIENCE", "0.2", 1);
    void *const mail = allocate((size_t)2 * RELAY_MOST * 16), *const out = allocate(1000);
    launch_ring(out, mail, 3, 4, bug);
}

static void plant_no_letter(void)
{
    ring_with(NO_MESSAGE);
}

static void plant_half_a_letter(void)
{
    ring_with(HALF_A_MESSAGE);
}

static void plant_no_tally(void)
{
    setenv("REPRISE_EMULATED_PATIENCE", "0.2", 1);
    const unsigned none = 0;
    launch_tallies(allocate(1000), allocate(1000), upload(&none, sizeof none), 3, 4, NO_MESSAGE);
}

static void plant_crowd(void)
{
    void *const mail = allocate((size_t)2 * RELAY_MOST * 16), *const sums = allocate(1000);
    launch_relay(sums, mail, (int)blocks_of_relay() + 1, 0, NO_BUG);
}

static void test_planted_bugs(void)
{
    static const struct {
        const char *name;
        void (*plant)(void);
        const char *parts[4];
    } bugs[] = {
        {"divergent barrier",
         launch_divergent_barrier,
         {"kernel divergent_barrier, block (3,0,0): 32 threads wait at the barrier in line ",
          " while 224 wait in line "}},
        {"divergent barrier, descending",
         plant_divergent_descending,
         {"kernel divergent_barrier, block (3,0,0): 32 threads wait at the barrier in line "}},
        {"failure stays", plant_sticky, {"kernel divergent_barrier, block (3,0,0): "}},
        {"barrier under LAUNCH_NB",
         launch_barrier_in_loop,
         {"kernel barrier_in_loop, block (", ",0,0): the barrier in line ", "use LAUNCH"}},
        {"early and never waiting",
         launch_impatient,
         {"kernel impatient, block (", "it starts early, and no thread calls await_previous()"}},
        {"a thread that does not wait",
         launch_impatient_thread,
         {"kernel impatient_thread, block (", "await_previous()"}},
        {"shuffle under LAUNCH_NB",
         launch_shuffle_in_loop,
         {"kernel shuffle_in_loop, block (0,0,0): __shfl_sync in line "}},
        {"lane outside its mask",
         launch_foreign_mask,
         {"kernel foreign_mask, block (0,0,0): thread 16 calls __shfl_sync in line ",
          "its own lane 16"}},
        {"lanes that do not come",
         launch_absent_lanes,
         {"kernel absent_lanes, block (0,0,0): 8 threads wait at __shfl_sync in line ",
          " while 24 wait at the barrier in line ", "none of them can go on"}},
        {"grid_sync without a block",
         launch_lonely_grid_sync,
         {"kernel lonely_grid_sync, block (", "grid_sync"}},
        {"grid_sync under LAUNCH",
         launch_grid_sync_without_grid,
         {"kernel grid_sync_without_grid, block (", "needs LAUNCH_COOP"}},
        {"a load that nobody waits for",
         plant_NO_WAIT,
         {"the arrival in line ", "wait for it first"}},
        {"the parity of the phase before",
         plant_WRONG_PARITY,
         {"the arrival in line ", "wait for it first"}},
        {"a store without a fence",
         plant_NO_FENCE,
         {"kernel rows, block (0,0,0): bulk_store in line ", "bulk_fence()"}},
        {"a store that may be read after the end",
         plant_LEFT_STORE,
         {"thread 0 ends while its bulk_store of line ", "bulk_stored<0>()"}},
        {"a load that may come after the end",
         plant_LEFT_LOAD,
         {"it ends while its bulk_load of line ", "arrival_wait()"}},
        {"an arrival too few",
         plant_TOO_FEW_ARRIVALS,
         {"waits in line ", " for 1 arrivals and 0 bytes, and nothing has happened for 0.2 s"}},
        {"an arrival too many", plant_TOO_MANY_ARRIVALS, {"the arrival in line ", "one more"}},
        {"bytes too few", plant_TOO_FEW_BYTES, {" for 0 arrivals and -16 bytes, and nothing"}},
        {"bytes too many", plant_TOO_MANY_BYTES, {" for 0 arrivals and 16 bytes, and nothing"}},
        {"an arrival that was not made", plant_NO_ARRIVAL, {"arrival_make() has not made"}},
        {"no multiple of 16 bytes",
         plant_ODD_BYTES,
         {"bulk_load in line ", " of 504 bytes from ", "multiples of 16"}},
        {"no address of 16 bytes", plant_ODD_PLACE, {"bulk_load in line ", "multiples of 16"}},
        {"a message that does not come",
         plant_no_message,
         {"kernel relay<double2>, block (", "waits for a message in line ", "for 0.2 s"}},
        {"half a message", plant_half_a_message, {"waits for a message in line "}},
        {"a letter that does not come",
         plant_no_letter,
         {"kernel ring, block (", "waits for a message in line ", "for 0.2 s"}},
        {"half a letter", plant_half_a_letter, {"waits for a message in line "}},
        {"a tally that is too small",
         plant_no_tally,
         {"kernel tallies, block (", "waits for a message in line ", "for 0.2 s"}},
        {"blocks that are not there together", plant_crowd, {"BLOCKS_TOGETHER"}},
        {"foreign device_free", plant_foreign_free, {"device_free: 0x", "is not an allocation"}},
    };
    char sentence[600];
    for (size_t i = 0; i < sizeof bugs / sizeof *bugs; i++) {
        bool all = true;
        ask_child(bugs[i].plant, sentence, sizeof sentence);
        for (int part = 0; part < 4 && bugs[i].parts[part] != NULL; part++)
            all = all && strstr(sentence, bugs[i].parts[part]) != NULL;
        check(all, "%s: %s", bugs[i].name, sentence);
    }
}

static void test_hidden_bugs(void)
{
    int out[64] = {0}, right = 0, nan = 0;
    float unwritten = 0;
    int *const device = allocate(sizeof out), *const last_written = allocate(sizeof out[0]);
    float *const on_float = allocate(sizeof unwritten);
    check(device_get(&unwritten, on_float, sizeof unwritten) == OK && isnan(unwritten),
          "fresh device memory is NaN");
    launch_unwritten(on_float);
    check(device_get(&unwritten, on_float, sizeof unwritten) == OK && isnan(unwritten),
          "unwritten shared memory is NaN");
    for (int pass = 0; pass < 2; pass++) {
        device_thread_order(orders[pass]);
        launch_missing_barrier(device);
        check(device_launched("missing_barrier") == OK && device_get(out, device, sizeof out) == OK,
              "missing barrier runs %s", orders[pass]);
        for (int loop = 0; loop < 2; loop++) {
            const int last = pass == 0 ? 23 : 0;
            launch_last_writer(loop, last_written);
            check(holds(last_written, &last, sizeof last), "the last to write, loop=%d %s", loop,
                  orders[pass]);
        }
        for (int i = 0; i < 64; i++) {
            right += pass == 0 && out[i] == (i > 0 ? i - 1 : 0);
            nan += pass == 1 && out[i] == -1;
        }
    }
    static const int hidden[] = {EARLY_LOAD, EARLY_WRITE};
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        for (int pass = 0; pass < 2; pass++) {
            device_thread_order(orders[pass]);
            const int wrong = wrong_in_rows(5, hidden[i]);
            check(wrong > 0, "copies in bulk, bug %d: %d values wrong %s", hidden[i], wrong,
                  orders[pass]);
        }
    check(right == 64 && nan == 63, "missing barrier: %d right ascending, %d unwritten descending",
          right, nan);
    device_free(device);
    device_free(on_float);
    device_free(last_written);
}

static void refused(bool good, const char *name, const char *part)
{
    check(good && strstr(reason(), part) != NULL, "%s: %s", name, reason());
}

static void test_refusals(void)
{
    static const struct {
        int grid, block;
        unsigned long shared;
        bool whole_grid;
        const char *part;
    } shapes[] = {{1, 1025, 0, false, "1024"},       {1, 0, 0, false, "zero"},
                  {0, 32, 0, false, "zero"},         {-1, 32, 0, false, "2147483647"},
                  {1, 32, 300000, false, "227 KiB"}, {65, 32, 0, true, "64 blocks"}};
    char bytes[200];
    char *const device = allocate(100);
    void *none = NULL;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        launch_shape(shapes[i].grid, shapes[i].block, shapes[i].shared, shapes[i].whole_grid);
        refused(device_launched("nothing") == ERR_DEVICE, "launch refused", shapes[i].part);
        check(device_launched("nothing") == OK, "the refusal is forgotten");
    }
    launch_shape(3, 1024, 227 * 1024, false);
    check(device_launched("nothing") == OK, "the largest block runs");
    refused(device_get(bytes, device, 101) == ERR_DEVICE, "get too much", "101 bytes");
    refused(device_get(bytes, device + 60, 41) == ERR_DEVICE, "get beyond", "offset 60");
    refused(device_get(bytes, bytes, 1) == ERR_DEVICE, "get from the host", "not in device");
    refused(device_put(device - 1, bytes, 1) == ERR_DEVICE, "put before", "not in device");
    refused(device_copy(device, bytes, 1) == ERR_DEVICE, "copy from the host", "source");
    check(device_get(bytes, device + 60, 40) == OK, "the last bytes can be fetched");
    refused(device_alloc(&none, (size_t)1 << 60) == ERR_MEMORY && none == NULL, "allocate too much",
            "1152921504606846976");
    refused(device_thread_order("sideways") == ERR_ARGS, "order", "sideways");
    refused(device_mark(MAX_LAPS) == ERR_ARGS, "mark", "mark 32");
    device_free(device);
    check(device_alloc(&none, 0) == OK && none == NULL && device_get(bytes, none, 0) == OK,
          "nothing can be allocated and fetched");
}

int main(void)
{
    struct device_facts facts;
    if (strcmp(device_kind(), "emulated") != 0) {
        skip("emulated device", "another device is in this build");
        return done();
    }
    test_planted_bugs(); /* first: a child must not inherit a device that is in use */
    const bool opened = device_open(&facts) == OK;
    check(opened && strncmp(facts.name, "emulated on ", 12) == 0 && facts.memory_bytes > 0 &&
              facts.multiprocessors > 0,
          "opens");
    check(!device_has_time() && device_mark(0) == OK && isnan(device_between(0, 1)), "no time");
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        order = orders[i];
        check(device_thread_order(order) == OK, "order %s", order);
        test_right_kernels();
    }
    test_hidden_bugs();
    test_refusals();
    return done();
}
