/*
 * What the emulated device asks of the runtime, which launches kernels.
 */
#pragma once

namespace emulated
{

extern char refusal[512]; /* why the last launch was refused; "": it was not */
int os_threads(void);     /* that share the blocks of a launch */

} // namespace emulated
