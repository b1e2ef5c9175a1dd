#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension StoreError {
    /// - Parameter number: `errno`, read directly after the failed call.
    init(errno number: Int32, doing what: String, path: String) {
        let code: Code =
            switch number {
            case ENOSPC, EDQUOT, EFBIG: .diskFull
            case ENOENT: .fileNotFound
            case ENOTDIR, EACCES, EPERM, EROFS, ELOOP, ENAMETOOLONG: .directoryUnusable
            default: .ioFailed
            }
        self.init(code, "\(what) \(path): \(String(cString: strerror(number)))")
    }
}
