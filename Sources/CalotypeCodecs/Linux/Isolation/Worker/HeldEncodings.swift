import Glibc

/// The encodings of text that a locked worker still converts: XML may name one, and the C library loads a module for it.
enum HeldEncodings {
    /// Opens a converter for each, and never closes it. The C library unloads a module some time after its last use, and
    /// could not load it again; whether a small file's use lasts depends on the library's version.
    static func open() {
        for name in ["windows-1252", "iso-8859-15"] {
            _ = iconv_open("UTF-8", name)
            _ = iconv_open(name, "UTF-8")
        }
    }
}
