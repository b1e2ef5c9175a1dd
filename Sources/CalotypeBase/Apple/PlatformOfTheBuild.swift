// The manifest runs on the machine that builds. Built for Linux on a Mac, it would leave out Linux's files.
#if os(Linux)
    #error(
        "To build Calotype for Linux on another system, set CALOTYPE_PLATFORM=linux in the environment of swift build.")
#endif
