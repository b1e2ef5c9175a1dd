import CalotypeBase

/// Reads values of a service's settings: each line of a text is a value, and `@FILE` stands for the lines of a file.
///
/// A value that begins with "@" itself is written with a second one: `@@name` is "@name".
struct ValueReference {
    private static let newline = UInt8(ascii: "\n")
    private static let credentials = "$CREDENTIALS_DIRECTORY/"
    /// The maximum size of a file in bytes: far above that of a list of secrets.
    private static let sizeLimit = 1 << 20

    private let context: Context

    init(_ context: Context) { self.context = context }

    func values(of given: GivenValue, as option: Option, _ arguments: Arguments) throws(UsageError) -> [GivenValue] {
        let lines = given.location == .commandLine ? [given.bytes] : Self.lines(of: given.bytes)
        var values: [GivenValue] = []
        for line in lines {
            if line.hasPrefix("@@") {
                // The line has the value itself, which may be a secret.
                values.append(
                    GivenValue(
                        bytes: line.dropFirst(), location: given.location, reference: option.isSecret ? nil : line))
            } else if line.hasPrefix("@") {
                let reference = GivenValue(bytes: line, location: given.location, reference: line)
                do throws(FileError) {
                    values += try contents(of: line.dropFirst(), for: option).map {
                        GivenValue(bytes: $0, location: given.location, reference: line)
                    }
                } catch {
                    throw arguments.error(reference, of: option, error.message)
                }
            } else {
                values.append(GivenValue(bytes: line, location: given.location, word: given.word))
            }
        }
        return values
    }

    /// Returns the path of the file that a value beginning with "@" names.
    func path(of reference: ByteString) throws(FileError) -> LocalPath { try whole(reference.dropFirst()) }

    private func contents(of path: ByteString, for option: Option) throws(FileError) -> [ByteString] {
        let data = try InputFile.read(try whole(path), limit: Self.sizeLimit)
        let lines = Self.lines(of: ByteString(bytes: data)).filter { !$0.isEmpty }
        guard !lines.isEmpty else { throw FileError("the file is empty") }
        guard option.takesBytes || lines.allSatisfy({ $0.utf8Text != nil }) else {
            throw FileError("the file is not UTF-8")
        }
        return lines
    }

    /// Replaces a leading `~/`, and a leading `$CREDENTIALS_DIRECTORY/`, in which systemd hands secrets to a service.
    private func whole(_ path: ByteString) throws(FileError) -> LocalPath {
        if path.hasPrefix("~/") { return LocalPath("\(context.homeDirectory)\(path.dropFirst())") }
        guard path.hasPrefix(ByteString(Self.credentials)) else { return LocalPath(path) }
        guard let folder = context.environment["CREDENTIALS_DIRECTORY"]?.nonEmpty else {
            throw FileError("CREDENTIALS_DIRECTORY is not set")
        }
        return LocalPath("\(folder)/\(path.dropFirst(Self.credentials.utf8.count))")
    }

    /// The lines of a text, without the line feed or the carriage return at their ends, and without empty lines at the end.
    private static func lines(of text: ByteString) -> [ByteString] {
        var lines = text.split(separator: newline).map {
            $0.hasSuffix("\r") ? ByteString(bytes: $0.bytes.dropLast()) : $0
        }
        while lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}
