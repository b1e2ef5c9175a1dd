#if canImport(Glibc)
    private import Glibc
#else
    private import Darwin
#endif

/// The path of a file or folder as the system knows it: bytes without a NUL, which need not be UTF-8.
///
/// Linux neither checks nor changes the bytes of a name. A `String` replaces those that are not UTF-8, and then names
/// another file, so text is only for display: see ``description``.
package struct LocalPath: Hashable, Sendable {
    package let bytes: ByteString

    package init(_ bytes: ByteString) { self.bytes = bytes }

    // Labelled: an interpolation of bytes would otherwise become text, and lose them.
    package init(text: String) { self.init(ByteString(text)) }

    package var isEmpty: Bool { bytes.isEmpty }

    /// The path as text, or `nil` if it is not UTF-8.
    package var text: String? { bytes.utf8Text }

    /// Calls `body` with the bytes followed by a NUL, for a function of the system.
    package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result { bytes.withCString(body) }
}

extension LocalPath: CustomStringConvertible {
    /// The path for display, with `\xE9` in place of a byte that is not UTF-8.
    package var description: String { bytes.displayed }
}

extension LocalPath: Comparable {
    package static func < (left: LocalPath, right: LocalPath) -> Bool { left.bytes < right.bytes }
}

extension LocalPath: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self.init(text: value) }
}

// MARK: - Parts

extension LocalPath {
    private static let slash = UInt8(ascii: "/")

    /// The part after the last slash, such as "lake.jpg" of "photos/lake.jpg". Slashes at the end do not count.
    package var name: ByteString {
        let bytes = trimmed
        let start = bytes.lastIndex(of: Self.slash).map { $0 + 1 } ?? 0
        return bytes.count == 1 ? ByteString(bytes: bytes) : ByteString(bytes: bytes[start...])
    }

    /// The path without ``name``: "photos" of "photos/lake.jpg". Empty if there is no other part; "/" for "/lake.jpg".
    package var folder: LocalPath {
        let bytes = trimmed
        guard let slash = bytes.lastIndex(of: Self.slash) else { return "" }
        let end = bytes[..<slash].lastIndex { $0 != Self.slash }
        return end.map { LocalPath(ByteString(bytes: bytes[...$0])) } ?? "/"
    }

    /// Returns the path of a file or folder in this folder. The empty path is the current folder.
    package func appending(name: ByteString) -> LocalPath {
        if isEmpty { return LocalPath(name) }
        return LocalPath(bytes.hasSuffix("/") ? "\(bytes)\(name)" : "\(bytes)/\(name)")
    }

    /// Returns the path below this folder.
    package func appending(_ path: LocalPath) -> LocalPath { appending(name: path.bytes) }

    /// The bytes without slashes at the end, unless the path is the root.
    private var trimmed: [UInt8] {
        let bytes = self.bytes.bytes
        guard let end = bytes.lastIndex(where: { $0 != Self.slash }) else { return Array(bytes.prefix(1)) }
        return Array(bytes[...end])
    }

    /// The path from the root, without empty parts, "." and "..". Links are not resolved.
    package var absolute: LocalPath {
        let whole = bytes.hasPrefix("/") ? self : (Self.current ?? "/").appending(self)
        var parts: [ByteString] = []
        for part in whole.bytes.split(separator: Self.slash) where !part.isEmpty && part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return LocalPath("/\(parts.joined(separator: "/"))")
    }

    /// The current folder, or `nil` if it has been removed.
    private static var current: LocalPath? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return LocalPath(ByteString(bytes: UnsafeRawBufferPointer(start: path, count: strlen(path))))
    }
}

// MARK: - The file system

extension LocalPath {
    /// Whether a folder is at the path, or a link to a folder.
    package var isFolder: Bool { status.map { $0.st_mode & S_IFMT == S_IFDIR } ?? false }

    /// Whether the path exists, as anything.
    package var exists: Bool { status != nil }

    /// Whether every user of the machine may read the file.
    package var isReadableByOthers: Bool { status.map { $0.st_mode & S_IROTH != 0 } ?? false }

    package var isReadable: Bool { withCString { access($0, R_OK) } == 0 }

    /// The time of the last change to the contents, in seconds since 1970; `nil` if the path does not exist.
    package var modificationTime: Double? {
        guard let status else { return nil }
        #if canImport(Glibc)
            let time = status.st_mtim
        #else
            let time = status.st_mtimespec
        #endif
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private var status: stat? {
        var status = stat()
        return withCString { stat($0, &status) } == 0 ? status : nil
    }

    /// Creates the folder and the folders above it. Does nothing if it exists.
    package func makeFolder() throws(SystemError) {
        if isEmpty || isFolder { return }
        let above = folder
        if above != self { try above.makeFolder() }
        // Another process may have created the folder meanwhile.
        guard withCString({ mkdir($0, 0o777) }) != 0, !isFolder else { return }
        throw SystemError(errno)
    }
}

extension ByteString {
    /// The string as text, or `nil` if it is not UTF-8.
    package var utf8Text: String? {
        if case .text(let text) = storage { text } else { nil }
    }

    /// The string for display: `\xE9` stands for a byte that is not UTF-8.
    package var displayed: String {
        if let utf8Text { return utf8Text }
        var text = ""
        var rest = bytes.makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        let bytes = bytes
        var offset = 0
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let units):
                text.unicodeScalars.append(Unicode.UTF8.decode(units))
                offset += units.count
            case .error(let length):
                for byte in bytes[offset..<offset + length] { text += "\\x" + byte.twoDigits }
                offset += length
            case .emptyInput: return text
            }
        }
    }
}

extension UInt8 {
    /// The byte as two hexadecimal digits, such as "E9".
    package var twoDigits: String { (self < 16 ? "0" : "") + String(self, radix: 16, uppercase: true) }
}
