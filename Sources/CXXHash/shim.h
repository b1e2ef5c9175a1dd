#pragma once
#include <xxhash.h>
#if defined(__x86_64__)
// The same library's run-time dispatch: AVX2 where the processor has it, three to four times the speed on large blocks.
#include <xxh_x86dispatch.h>
#endif
