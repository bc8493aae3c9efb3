/*
 * What a run says of a paper, in sentences that a person would say. They are made of cells, claims
 * and the papers' machines; none is written down anywhere.
 */
#pragma once
#include "verdict/verdict.h"

/* "GPU-acceleration of waveform relaxation methods", from the citation; interned. */
const char *paper_title(const struct paper *paper);
/* "NVIDIA H200", "an emulated GPU on AMD EPYC". */
const char *machine_title(const struct facts *facts);
/* The titles of what the run has of papers, and its machine. */
const char *run_title(const struct verdicts *all);
/* The run has cells of the paper, and the paper claims or prints something. */
bool run_has(const struct verdicts *all, const struct paper *paper);

/* Printed numbers that must agree: "Table I: 20 of 25 errors to all 7 digits, 5 within 2 %." All
 * are interned; "" where there is nothing to say. */
const char *said_of_numbers(const struct verdicts *all, const struct paper *paper);
/* "A2D is 18 times as fast as on the GTX260, whose memory is 38 times slower." */
const char *said_of_speed(const struct verdicts *all, const struct paper *paper);
/* The largest speed-up in print, here, and over the fastest CPU code of today for its task. */
const char *said_of_speedup(const struct verdicts *all, const struct paper *paper);
/* "Of 9 claims 5 hold, 1 in part, 3 are reversed." */
const char *said_of_claims(const struct verdicts *all, const struct paper *paper);
/* All four. */
const char *headline(const struct verdicts *all, const struct paper *paper);
/* A word or two: "REPRODUCED: 175 same, 11 close" where something could have differed and nothing
 * did, "COMPARED: 104 times" where only times are printed. */
const char *paper_status(const struct verdicts *all, const struct paper *paper);
/* "Here it holds, in 10 of 10 cases; in print in 8 of 8." */
const char *said_of_claim(const struct outcome *outcome);
