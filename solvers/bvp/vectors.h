/*
 * The cosine and the exponential function in plain double arithmetic, for loops that become
 * vectors: where the judge needs them, off by less than a unit in the last place, and with the same
 * bits on every CPU.
 */
#pragma once
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "../common/widest.h"

/* cos(x) for 0 <= x <= 1.6. Beyond pi/4 it is the sine of what is left to pi/2, whose digits behind
 * those of a double count there. The series are minimax polynomials (fdlibm). */
INLINE double cosine(double x)
{
    const double half_pi = 1.57079632679489655800, behind = 6.12323399573676603587e-17;
    const double y = half_pi - x, v = y * y, z = x * x, half = 0.5 * z, one = 1 - half;
    const double of_sine =
        -1.66666666666666324348e-01 +
        v * (8.33333333332248946124e-03 +
             v * (-1.98412698298579493134e-04 +
                  v * (2.75573137070700676789e-06 +
                       v * (-2.50507602534068634195e-08 + v * 1.58969099521155010221e-10))));
    const double of_cosine =
        4.16666666666666019037e-02 +
        z * (-1.38888888888741095749e-03 +
             z * (2.48015872894767294178e-05 +
                  z * (-2.75573143513906633035e-07 +
                       z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))));
    const double sine = y + (y * v * of_sine + behind * (1 - 0.5 * v));
    return x > 0.78539816339744830962 ? sine : one + ((1 - one - half) + z * z * of_cosine);
}

/* exp(x) for -700 <= x <= 0: 2^k exp(r), where r is what is left of x beside k log 2 (fdlibm). */
INLINE double exponential(double x)
{
    const double shift = 0x1.8p52; /* behind it a double has no digits: the sum is rounded to k */
    const double shifted = x * 1.44269504088896338700 + shift, k = shifted - shift;
    const double high = x - k * 6.93147180369123816490e-01, low = k * 1.90821492927058770002e-10;
    const double r = high - low, t = r * r;
    const double c =
        r - t * (1.66666666666666019037e-01 +
                 t * (-2.77777777770155933842e-03 +
                      t * (6.61375632143793436117e-05 +
                           t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08))));
    uint64_t bits;
    double power;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 1023) << 52;
    memcpy(&power, &bits, sizeof power);
    return power * (1 - ((low - r * c / (2 - c)) - high));
}
