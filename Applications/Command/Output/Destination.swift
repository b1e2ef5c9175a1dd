import Calotype
import CalotypeBase

enum Destination: Sendable {
    case directory(LocalPath)
    /// A file for one image. Its extension determines the format, unless --format does or the bytes stay unchanged.
    case file(LocalPath)
    case standardOutput

    /// - Parameter output: The value of --output.
    init(_ output: LocalPath) {
        if output == "-" {
            self = .standardOutput
        } else if FileName.isImage(output.bytes), !output.isNamedAsFolder {
            self = .file(output)
        } else {
            self = .directory(output)
        }
    }

    /// - Parameter operand: The last operand of a command for one image, which is a file unless it is a folder already,
    ///   or ends with a slash.
    init(operand: LocalPath) {
        if operand == "-" {
            self = .standardOutput
        } else {
            self = operand.isNamedAsFolder ? .directory(operand) : .file(operand)
        }
    }

    /// Checks the arguments, and then creates the directory, because an invalid command line must change nothing.
    func prepare(_ arguments: Arguments, count: Int, _ recipe: Recipe) throws(UsageError) {
        switch self {
        case .standardOutput: try Destination.checkStandardOutput(arguments, count: count)
        case .file(let file): try Destination.checkFile(file, arguments, count: count, recipe)
        case .directory(let directory):
            guard !directory.isEmpty else { throw arguments.error("--output: name a directory or a file") }
            try Destination.make(directory, arguments)
        }
    }

    static func checkStandardOutput(_ arguments: Arguments, count: Int) throws(UsageError) {
        guard count <= 1 else { throw arguments.error("--output - takes one image, not \(count)") }
        for option in [Option.json, .print0] where arguments.has(option) {
            throw arguments.error("--output - and --\(option.name) exclude each other")
        }
        try checkPipe(arguments)
    }

    private static func checkFile(
        _ file: LocalPath, _ arguments: Arguments, count: Int, _ recipe: Recipe
    ) throws(UsageError) {
        guard count <= 1 else {
            throw arguments.error(
                "\(label(of: file, arguments)): one file cannot hold \(count) images; name a directory")
        }
        // Bytes that are written unchanged need no encoder.
        if !recipe.keepsOriginal, recipe.format == nil, FileFormat(fileName: file.bytes) == nil {
            throw arguments.error("--output \(FileFormat.problem(withFileName: file.bytes))")
        }
        try recipe.check([FileFormat(fileName: file.bytes)], arguments)
        if !file.folder.isEmpty { try make(file.folder, arguments) }
    }

    var folder: LocalPath {
        switch self {
        case .directory(let directory): directory
        case .file(let path): path.folder.isEmpty ? "." : path.folder
        case .standardOutput: "."
        }
    }

    static func path(_ directory: LocalPath, _ name: LocalPath) -> LocalPath {
        directory == "." ? name : directory.appending(name)
    }

    static func makeFolder(of path: LocalPath) throws(FileError) {
        do throws(SystemError) { try path.folder.makeFolder() } catch {
            throw FileError("the folder \(path.folder) cannot be created")
        }
    }

    /// Throws if standard output is a terminal, which would interpret an image's bytes.
    static func checkPipe(_ arguments: Arguments) throws(UsageError) {
        guard !Stream.output.isTerminal else {
            throw arguments.error("standard output is a terminal; redirect it to a file or a pipe")
        }
    }

    private static func make(_ directory: LocalPath, _ arguments: Arguments) throws(UsageError) {
        if directory.isFolder { return }
        guard !directory.exists else {
            throw arguments.error("\(label(of: directory, arguments)) is a file; name a directory")
        }
        do throws(SystemError) { try directory.makeFolder() } catch {
            throw arguments.error("\(label(of: directory, arguments)): the directory cannot be created")
        }
    }

    /// Returns the path as the command line has it: as the value of --output, or as an operand.
    private static func label(of path: LocalPath, _ arguments: Arguments) -> String {
        arguments.values["output"] == nil ? "\(path)" : "--output \(path)"
    }
}

extension LocalPath {
    fileprivate var isNamedAsFolder: Bool { bytes.hasSuffix("/") || isFolder }
}
