import Foundation

/// Where the pictures of a run go.
enum Destination: Sendable {
    case directory(String)
    case standardOutput

    init(_ arguments: Arguments, count: Int) throws(UsageError) {
        guard arguments[.output] == "-" else {
            let directory = arguments[.output] ?? "."
            try Destination.make(directory, arguments)
            self = .directory(directory)
            return
        }
        guard count == 1 else { throw arguments.error("--output - takes one picture, not \(count)") }
        guard !arguments.has(.json) else { throw arguments.error("--output - leaves no room for --json") }
        try Destination.checkPipe(arguments)
        self = .standardOutput
    }

    /// A picture's bytes would do strange things to a terminal.
    static func checkPipe(_ arguments: Arguments) throws(UsageError) {
        guard !Stream.output.isTerminal else {
            throw arguments.error("standard output is a terminal; send it to a file or a pipe")
        }
    }

    private static func make(_ directory: String, _ arguments: Arguments) throws(UsageError) {
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: directory, isDirectory: &isDirectory) {
            guard isDirectory.boolValue else {
                throw arguments.error("--output \(directory): that is a file; name a directory")
            }
            return
        }
        do {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        } catch {
            throw arguments.error("--output \(directory): the directory cannot be made")
        }
    }
}
