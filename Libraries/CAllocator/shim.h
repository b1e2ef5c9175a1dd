#pragma once
// <malloc.h>, which Swift's Glibc module leaves out. Declared here, because that header would take declarations of Glibc over.
int mallopt(int option, int value);
int malloc_trim(unsigned long kept);
