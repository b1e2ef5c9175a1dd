import CalotypeBase
import Foundation

/// The names of a run's images: the operands, then the entries of the files of `--from`.
enum InputList {
    /// The maximum size of a list, in bytes: enough for a million names, but not for a video given by mistake.
    private static let sizeLimit = 256 << 20

    /// Returns no names if the lists are empty: then there is nothing to do, which is no error.
    ///
    /// - Parameter noun: The name of the operands in the error message without operands and lists, such as "a URL".
    static func read(_ arguments: Arguments, noun: String) throws(UsageError) -> [ByteString] {
        var names = arguments.operands
        for list in arguments.allGiven(.from) {
            do throws(FileError) {
                names += try entries(of: list.bytes, arguments)
            } catch {
                throw arguments.error("--from \(list.text): \(error)")
            }
        }
        guard !names.isEmpty || arguments.has(.from) else {
            throw arguments.error("\(noun) is missing; name one, or a list with --from FILE")
        }
        return names
    }

    /// Returns the entries of a list that an operand names.
    static func entries(ofList list: ByteString, _ arguments: Arguments) throws(UsageError) -> [ByteString] {
        do throws(FileError) { return try entries(of: list, arguments) } catch {
            throw arguments.error("\(list.displayed): \(error)")
        }
    }

    private static func entries(of list: ByteString, _ arguments: Arguments) throws(FileError) -> [ByteString] {
        try entries(try InputFile.read(LocalPath(list), limit: sizeLimit), arguments)
    }

    /// Splits a list at NUL bytes with --null, otherwise into lines, without empty lines and lines that begin with #.
    private static func entries(_ data: Data, _ arguments: Arguments) throws(FileError) -> [ByteString] {
        if arguments.has(.null) { return data.split(separator: 0).map { ByteString(bytes: $0) } }
        // The system ends a path at its first NUL byte, so the command would open the wrong files.
        guard !data.contains(0) else { throw FileError("the list contains NUL bytes; add -0") }
        return data.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
            .map { ByteString(bytes: $0).trimmed }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }
}

extension Option {
    static let from = Option(
        "from", nil, "FILE", offers: .files, takesBytes: true,
        help: "Read inputs from this file, one per line; lines that begin with # are ignored. - is standard input.")
    static let null = Option(
        "null", "0", help: "NUL bytes separate the names in a list, as in the output of find -print0.")
}
