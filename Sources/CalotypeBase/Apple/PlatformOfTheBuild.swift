// The manifest runs on the build machine. In a cross-build from a Mac to Linux it would leave out the Linux files.
#if os(Linux)
    #error(
        "To build Calotype for Linux on another system, set CALOTYPE_PLATFORM=linux in the environment of swift build.")
#endif
