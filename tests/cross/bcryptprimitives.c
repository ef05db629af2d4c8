/* Stands in for a Windows library that wine 8 does not have: Rust's standard library asks it for random bytes.
   For the tests of `cargo xtask cross` only; it is never shipped. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length)
{
    for (; length > 0x10000; data += 0x10000, length -= 0x10000)
        if (!SystemFunction036(data, 0x10000)) return FALSE;
    return SystemFunction036(data, (ULONG)length);
}
