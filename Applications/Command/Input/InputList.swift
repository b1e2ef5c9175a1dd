import Foundation

/// The names of a run's images: the operands, then the entries of the files of `--from`.
enum InputList {
    /// The maximum size of a list, in bytes: enough for a million names, but not for a video given by mistake.
    private static let sizeLimit = 256 << 20

    /// - Parameter noun: The name of the operands in the error message for an empty list, such as "a URL".
    static func read(_ arguments: Arguments, noun: String) throws(UsageError) -> [String] {
        var names = arguments.operands
        for list in arguments.all(.from) {
            do throws(FileError) {
                names += try entries(try InputFile.read(list, limit: sizeLimit), arguments)
            } catch {
                throw arguments.error("--from \(list): \(error)")
            }
        }
        guard !names.isEmpty else {
            throw arguments.error(
                arguments.has(.from) ? "the list is empty" : "\(noun) is missing; name one, or a list with --from FILE")
        }
        return names
    }

    /// Splits a list at NUL bytes with --null, otherwise into lines, without empty lines and lines that begin with #.
    private static func entries(_ data: Data, _ arguments: Arguments) throws(FileError) -> [String] {
        if arguments.has(.null) { return data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) } }
        // The system ends a path at its first NUL byte, so the command would open the wrong files.
        guard !data.contains(0) else { throw FileError("the list contains NUL bytes; add -0") }
        return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }
}

extension Option {
    static let from = Option(
        "from", nil, "FILE", offers: .files,
        help: "Read inputs from this file, one per line; lines that begin with # are ignored. - is standard input.")
    static let null = Option(
        "null", "0", help: "NUL bytes separate the names in --from, as in the output of find -print0.")
}
