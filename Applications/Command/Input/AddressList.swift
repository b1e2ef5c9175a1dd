import Foundation

/// The URLs of a run: those on the command line, then those in a file.
enum AddressList {
    /// The limit of a list in bytes: it admits a million URLs, but not a video given by mistake.
    private static let sizeLimit = 256 << 20

    static func read(_ arguments: Arguments) throws(UsageError) -> [String] {
        var addresses = arguments.operands
        for name in arguments.all(.from) {
            do throws(FileError) {
                addresses += entries(try InputFile.read(name, limit: sizeLimit), arguments)
            } catch {
                throw arguments.error("--from \(name): \(error)")
            }
        }
        guard !addresses.isEmpty else {
            throw arguments.error(arguments.has(.from) ? "the list has no URLs" : "a URL is missing, or --from FILE")
        }
        return addresses
    }

    /// Splits a list at line ends, without empty lines and lines that begin with #; with --null, at NUL bytes.
    static func entries(_ data: Data, _ arguments: Arguments) -> [String] {
        if arguments.has(.null) { return data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) } }
        return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }
}

extension Option {
    static let null = Option(
        "null", "0", help: "The entries of --from end with a NUL byte, as find -print0 writes them.")
}
