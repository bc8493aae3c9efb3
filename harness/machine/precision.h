/*
 * One source for all precisions. Each *_tmpl file is compiled once per recipe:
 *   s  (RECIPE_S)   real float,  wide float
 *   d  (RECIPE_D)   real double, wide double
 *   sd (RECIPE_SD)  real float,  wide double
 * `real` is the stored type, `wide` the summed type, P(name) the name with the recipe's suffix, and
 * R(0.5) a literal of type real.
 */
#pragma once

#if defined(RECIPE_S)
typedef float real;
typedef float wide;
#define P(name)        name##_s
#define REAL_IS_DOUBLE 0
#elif defined(RECIPE_D)
typedef double real;
typedef double wide;
#define P(name)        name##_d
#define REAL_IS_DOUBLE 1
#elif defined(RECIPE_SD)
typedef float real;
typedef double wide;
#define P(name)        name##_sd
#define REAL_IS_DOUBLE 0
#else
#error "compile with -DRECIPE_S, -DRECIPE_D or -DRECIPE_SD"
#endif

#define R(x) ((real)(x))
