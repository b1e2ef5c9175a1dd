// Empty: it is only asked whether it can be imported. On Linux the C library's own module is found before it.
