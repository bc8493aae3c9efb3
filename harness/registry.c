/*
 * The tables of families and papers: the only file that names both solvers and cases. A new family
 * or paper is one word here.
 */
#include "reprise.h"

extern const struct family ceilings_family, bvp_family, recurrence_family, parabolic_family,
    waveform_family, curvature_family, curvature_kernels_family;
extern const struct paper ceilings_paper, bvp2010_paper, rec2011_paper, par2011_paper, wr2014_paper,
    cf2011_paper, scale_paper;

const struct family *const families[] = {
    &ceilings_family, &bvp_family,       &recurrence_family,        &parabolic_family,
    &waveform_family, &curvature_family, &curvature_kernels_family, NULL};
const struct paper *const papers[] = {
    &ceilings_paper, &bvp2010_paper, &rec2011_paper, &par2011_paper,
    &wr2014_paper,   &cf2011_paper,  &scale_paper,   NULL};
