/*
 * The number pi as a double, for C and for kernels.
 */
#pragma once

#define PI 3.14159265358979323846
