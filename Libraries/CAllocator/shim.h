#pragma once
// Swift's Glibc module lacks <malloc.h>. Including that header would move declarations of Glibc into this module.
int mallopt(int option, int value);
int malloc_trim(unsigned long kept);
