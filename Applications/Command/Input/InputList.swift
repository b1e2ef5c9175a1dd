import Foundation

/// The names of a run's images: those on the command line, then those in the files of `--from`.
enum InputList {
    /// The limit of a list in bytes: it admits a million names, but not a video given by mistake.
    private static let sizeLimit = 256 << 20

    static func read(_ arguments: Arguments) throws(UsageError) -> [String] {
        var names = arguments.operands
        for list in arguments.all(.from) {
            do throws(FileError) {
                names += entries(try InputFile.read(list, limit: sizeLimit), arguments)
            } catch {
                throw arguments.error("--from \(list): \(error)")
            }
        }
        return names
    }

    /// Splits a list at line ends, without empty lines and lines that begin with #; with --null, at NUL bytes.
    private static func entries(_ data: Data, _ arguments: Arguments) -> [String] {
        if arguments.has(.null) { return data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) } }
        return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }
}

extension Option {
    static let from = Option(
        "from", nil, "FILE", offers: .files, help: "Read inputs from this file, one a line; - is standard input.")
    static let null = Option(
        "null", "0", help: "The entries of --from end with a NUL byte, as find -print0 writes them.")
}
