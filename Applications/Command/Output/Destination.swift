import Foundation

enum Destination: Sendable {
    case directory(String)
    /// A file for one image. Its extension determines the format, unless --format does or the bytes stay unchanged.
    case file(String)
    case standardOutput

    /// - Parameter output: The value of --output.
    init(_ output: String) {
        if output == "-" {
            self = .standardOutput
        } else if FileName.isImage(output), !output.hasSuffix("/"), !Destination.isDirectory(output) {
            self = .file(output)
        } else {
            self = .directory(output)
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
        guard count == 1 else { throw arguments.error("--output - takes one image, not \(count)") }
        guard !arguments.has(.json) else { throw arguments.error("--output - and --json exclude each other") }
        try checkPipe(arguments)
    }

    private static func checkFile(
        _ file: String, _ arguments: Arguments, count: Int, _ recipe: Recipe
    ) throws(UsageError) {
        guard count == 1 else {
            throw arguments.error("--output \(file): one file cannot hold \(count) images; name a directory")
        }
        // Bytes that are written unchanged need no encoder.
        if !recipe.keepsOriginal, recipe.format == nil, FileFormat(fileName: file) == nil {
            throw arguments.error("--output \(FileFormat.problem(withFileName: file))")
        }
        try recipe.check(FileFormat(fileName: file), arguments)
        let directory = (file as NSString).deletingLastPathComponent
        if !directory.isEmpty { try make(directory, arguments) }
    }

    var folder: String {
        switch self {
        case .directory(let directory): directory
        case .file(let path): (path as NSString).deletingLastPathComponent.nonEmpty ?? "."
        case .standardOutput: "."
        }
    }

    static func path(_ directory: String, _ name: String) -> String {
        directory == "." ? name : directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
    }

    static func makeFolder(of path: String) throws(FileError) {
        let folder = (path as NSString).deletingLastPathComponent
        guard !folder.isEmpty, !isDirectory(folder) else { return }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw FileError("the folder \(folder) cannot be created")
        }
    }

    static func isDirectory(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
    }

    /// Throws if standard output is a terminal, which would interpret an image's bytes.
    static func checkPipe(_ arguments: Arguments) throws(UsageError) {
        guard !Stream.output.isTerminal else {
            throw arguments.error("standard output is a terminal; redirect it to a file or a pipe")
        }
    }

    private static func make(_ directory: String, _ arguments: Arguments) throws(UsageError) {
        if isDirectory(directory) { return }
        guard !FileManager.default.fileExists(atPath: directory) else {
            throw arguments.error("--output \(directory) is a file; name a directory")
        }
        do {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        } catch {
            throw arguments.error("--output \(directory): the directory cannot be created")
        }
    }
}
