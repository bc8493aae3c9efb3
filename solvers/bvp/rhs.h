/*
 * The right-hand sides f(x) of the problems, in the forms that the published digits decide on:
 * float with a float pi and float functions, double with M_PI. C and kernels share this file; the
 * arithmetic of the GPU of 2010 exists only in kernels.
 */
#pragma once
#include <math.h>

#include "../common/pi.h"
#include "base/random.h"

enum rhs_code { RHS_P1, RHS_P2, RHS_P1_HISTORICAL, RHS_P2_HISTORICAL, RHS_INPUT };

#ifdef __cplusplus
#define RHS_BOTH static inline __host__ __device__
#else
#define RHS_BOTH static inline
#endif

#define RHS_PI_FLOAT ((float)PI)

RHS_BOTH double rhs_p1_double(double x)
{
    return PI * PI / 4 * cos(PI / 2 * x);
}

RHS_BOTH double rhs_p2_double(double x)
{
    const double q = x * x;
    return 20000.0 * exp(-100 * q) * (1 - 200 * q);
}

RHS_BOTH float rhs_p1_single(float x)
{
    return RHS_PI_FLOAT * RHS_PI_FLOAT / 4 * cosf(RHS_PI_FLOAT / 2 * x);
}

/* The paper's 20000.0 is a double constant, so its products are double and rounded once. */
RHS_BOTH float rhs_p2_single(float x)
{
    const float q = x * x;
    return (float)(20000.0 * (double)expf(-100 * q) * (double)(1 - 200 * q));
}

/* The problem `stored`: of both signs, with a sum that grows; every digit is the same everywhere.
 */
RHS_BOTH double rhs_stored(uint64_t i)
{
    return uniform_at(19, i) - 0.25;
}

RHS_BOTH double rhs_double(int code, double x)
{
    return code == RHS_P1 ? rhs_p1_double(x) : rhs_p2_double(x);
}

RHS_BOTH float rhs_single(int code, float x)
{
    return code == RHS_P1 ? rhs_p1_single(x) : rhs_p2_single(x);
}

#ifdef __cplusplus

/* Compute capability 1.x: the product of a multiply-add is cut to 24 bits, the sum is rounded. */
static inline __device__ float rhs_fmad(float a, float b, float c)
{
    return __fadd_rn(__fmul_rz(a, b), c);
}

/* cos(a) for 0 <= a <= pi/2 as the mathematical functions of 2010 did it. The order of the
 * operations was found by trying: it is the one that gives the published digits of P1. */
static inline __device__ float rhs_cos_historical(float a)
{
    const float j = rintf(a * 0.636619772f);
    float t = rhs_fmad(-j, 1.5703125f, a);
    t = rhs_fmad(-j, 4.8351287841796875e-4f, t);
    t = rhs_fmad(-j, 3.13855707645416259765625e-7f, t);
    t = rhs_fmad(-j, 6.0771005065061922e-11f, t);
    const float q = t * t;
    if (j == 0) {
        float c = 2.443315711809948e-5f;
        c = rhs_fmad(c, q, -1.388731625493765e-3f);
        c = rhs_fmad(c, q, 4.166664568298827e-2f);
        c = rhs_fmad(c, q, -0.5f);
        return rhs_fmad(c, q, 1.0f);
    }
    float s = -1.9515295891e-4f;
    s = rhs_fmad(s, q, 8.3321608736e-3f);
    s = rhs_fmad(s, q, -1.6666654611e-1f);
    return -rhs_fmad(s * q, t, t);
}

/* exp(a): two-step reduction, then 2^z. The hardware's own 2^z is not known bit by bit; a correctly
 * rounded one stands in for it, so P2 comes near the published digits and P1 reaches them. */
static inline __device__ float rhs_exp_historical(float a)
{
    const float j = truncf(a * 1.44269502f);
    float z = rhs_fmad(-j, 0.693145752f, a);
    z = rhs_fmad(-j, 1.42860677e-6f, z);
    z = z * 1.44269502f;
    return ldexpf((float)exp2((double)z), (int)j);
}

static inline __device__ float rhs_single_on_device(int code, float x)
{
    const float q = x * x;
    switch (code) {
    case RHS_P1_HISTORICAL:
        return RHS_PI_FLOAT * RHS_PI_FLOAT / 4 * rhs_cos_historical(RHS_PI_FLOAT / 2 * x);
    case RHS_P2_HISTORICAL:
        return (float)(20000.0 * (double)rhs_exp_historical(-100 * q) *
                       (double)rhs_fmad(-200, q, 1));
    default:
        return rhs_single(code, x);
    }
}

#endif
