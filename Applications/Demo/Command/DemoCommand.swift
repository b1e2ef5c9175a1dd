import Calotype
import CalotypeBase
package import CalotypeConsole
import CalotypeDemo
import CalotypeListener
import Foundation

package struct DemoCommand: Command {
    package static let syntax = CommandSyntax(
        name: "demo", summary: "Load photographs cold, from memory, from disk, at three sizes, and offline.",
        options: [.photos, .sheet, .serve],
        notes: [
            """
            The demo starts a web server on this machine, loads all photographs from it in five ways, prints the time \
            of each, and writes a contact sheet. Its cache is temporary.
            """,
            """
            With --serve, the demo only serves the photographs, until Ctrl-C. /photos?page=2 and /photos/17 are JSON \
            with the URLs of each image at several sizes.
            """,
        ],
        examples: [
            ("demo", "with the photographs of the Debian package mate-backgrounds"),
            ("demo --photos ~/Pictures --sheet sheet.png", "with your own photographs"),
            ("demo --serve 127.0.0.1:8080", "a JSON API of photographs"),
        ])

    static let standardSheet: LocalPath = "calotype-contact-sheet.png"

    private let directory: LocalPath
    private let sheet: LocalPath
    private let place: ListenAddress?

    package init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        directory = arguments.path(.photos) ?? LocalPath(text: PhotoFolder.standardPath)
        sheet = arguments.path(.sheet) ?? DemoCommand.standardSheet
        guard FileName.imageFormat(sheet.bytes) == .png else {
            throw arguments.error("--sheet \(sheet): the contact sheet is a PNG; name it .png")
        }
        place = try arguments.address(.serve)
    }

    package func run(_ context: Context) async -> ExitStatus {
        do {
            if let place { return try await serve(at: place, context) }
            let collection = try PhotoCollection(directory: directory)
            report(collection.problems, context)
            guard !collection.photos.isEmpty else { throw FileError("\(directory) has no images") }
            return try await show(collection, context)
        } catch let error where error is FileError || error is PhotoFolderError {
            context.console.complain("demo: \(error)")
            if directory.text == PhotoFolder.standardPath {
                context.console.note(
                    "Install some with 'apt install mate-backgrounds', or name a directory: --photos DIR")
            }
        } catch let error as Failure where error.isCancelled {
            return .interrupted
        } catch {
            context.console.complain("demo: \(error)")
        }
        return .failure
    }

    private func serve(at place: ListenAddress, _ context: Context) async throws -> ExitStatus {
        let folder = try PhotoFolder(path: directory)
        report(folder.problems, context)
        let server = try PhotoServer(folder, host: place.host, port: place.port)
        defer { server.stop() }
        context.console.line(
            "\(Amounts.count(folder.files.count, "photograph")) at \(server.url.absoluteString)/photos")
        context.console.line("the first one: \(server.url.absoluteString)/images/1/large")
        await Task.untilCancelled()
        return folder.problems.isEmpty ? .success : .failure
    }

    private func report(_ problems: [FolderWalk.Problem], _ context: Context) {
        for problem in problems { context.console.complain("\(problem.folder): \(problem.message)") }
    }

    private func show(_ collection: PhotoCollection, _ context: Context) async throws -> ExitStatus {
        let origin = try PhotoOrigin(collection.photos)
        defer { origin.listener.stop() }
        introduce(collection, origin, context.console)
        let show = DemoShow(
            origin: origin, collection: collection, console: context.console,
            firstCache: try context.temporaryFiles.makeDirectory(),
            secondCache: try context.temporaryFiles.makeDirectory())
        let (stages, sheet) = try await show.perform()
        var table = Table(["stage", "images", "requests", "time", "MB/s"], rightAligned: [1, 2, 3, 4])
        for stage in stages { table.add(stage.row) }
        for line in table.lines { context.console.line(line) }
        let path = try write(sheet, context)
        context.console.line(
            "\nMB/s is relative to the size of the files.\nContact sheet: \(name: path.bytes)")
        let surprises = stages.flatMap(\.surprises)
        for surprise in surprises { context.console.complain("demo: \(surprise)") }
        return surprises.isEmpty && collection.problems.isEmpty ? .success : .failure
    }

    private func introduce(_ collection: PhotoCollection, _ origin: PhotoOrigin, _ console: Console) {
        let count = Amounts.count(collection.photos.count, "photograph")
        console.line("\(count), \(Amounts.bytes(collection.byteCount)), from \(name: collection.directory.bytes)")
        console.line("served by this process at \(origin.listener.url.absoluteString)\n")
    }

    /// Returns the path of the written file: in the temporary directory, if the default file cannot be written.
    private func write(_ data: Data, _ context: Context) throws(FileError) -> LocalPath {
        do throws(FileError) {
            return try write(data, to: sheet, context)
        } catch {
            guard sheet == DemoCommand.standardSheet else { throw error }
            let place = LocalPath(text: FileManager.default.temporaryDirectory.path)
            return try write(data, to: place.appending(sheet), context)
        }
    }

    private func write(_ data: Data, to path: LocalPath, _ context: Context) throws(FileError) -> LocalPath {
        let path = path.absolute
        try OutputFile(path: path, overwrites: true, temporaryFiles: context.temporaryFiles).write(data)
        return path
    }
}

extension Option {
    static let photos = Option(
        "photos", nil, "DIR", offers: .directories, takesBytes: true,
        help: "Use the images in this directory and its subdirectories.")
    static let serve = Option(
        "serve", nil, "ADDRESS:PORT", help: "Serve the photographs as a JSON API at this address or port, until Ctrl-C."
    )
    static let sheet = Option(
        "sheet", nil, "FILE", offers: .files, takesBytes: true,
        help: "Write the contact sheet to this file. The default is ./calotype-contact-sheet.png.")
}
