import Calotype
import CalotypeBase

/// One image of a run: a file, a URL, or standard input.
struct ImageInput: Hashable, Sendable {
    /// The path, such as "photos/summer/lake.jpg"; the URL; or "-" for standard input.
    let name: ByteString
    /// The subfolder of a file found in a folder, relative to that folder, such as "summer"; empty for other inputs.
    var folder = LocalPath("")
    /// The reason that a folder yields no images: it contains no images, or cannot be read. `nil` for an image.
    var problem: Failure?

    var stem: ByteString { FileName.parts(fileName).stem }

    /// The last part of a path, such as "lake.jpg"; a safe file name for a URL; "image" for standard input.
    var fileName: ByteString {
        if name == "-" { return "image" }
        if let address = try? Address(name, allowsPaths: true), address.isURL {
            return ByteString(FileName.of(address.url))
        }
        return LocalPath(name).name
    }

    fileprivate static func unreadable(_ folder: LocalPath, _ reason: String) -> ImageInput {
        ImageInput(name: folder.bytes, problem: Failure(code: "fileUnreadable", reason))
    }
}

struct ImageInputs {
    private(set) var images: [ImageInput] = []
    /// The number of images and folders that were left out because their names begin with a dot.
    private(set) var hiddenCount = 0

    /// The maximum number of images, so that a list given by mistake does not fill the memory.
    static let countLimit = 1_000_000

    init(_ image: ImageInput) { images = [image] }

    /// - Parameter output: A folder to skip, because it receives the results.
    init(_ arguments: Arguments, without output: LocalPath? = nil) throws(UsageError) {
        let names = try InputList.read(arguments, noun: "an input")
        if names.filter({ $0 == "-" }).count + arguments.all(.from).filter({ $0 == "-" }).count > 1 {
            throw arguments.error("standard input (-) can be read only once")
        }
        var isUsable = false
        for name in names {
            let path = LocalPath(name)
            let found = path.isFolder ? files(in: path, without: output) : [ImageInput(name: name)]
            // A subfolder that cannot be read is a failure of the run, like a damaged image.
            isUsable = isUsable || found.contains { $0.problem == nil || $0.name != name }
            images += found
            guard images.count <= Self.countLimit else { throw arguments.error("more than \(Self.countLimit) images") }
        }
        // A folder without images counts as one failed image, but is a usage error if no other input is usable.
        if !isUsable, let first = images.first, let problem = first.problem {
            throw arguments.error("\(first.name.displayed): \(problem)")
        }
    }

    /// Returns the images in a folder and its subfolders, found by extension and sorted by path, and the subfolders
    /// that cannot be read. Skips hidden files, hidden folders and the output folder.
    private mutating func files(in folder: LocalPath, without output: LocalPath?) -> [ImageInput] {
        var options = FolderWalk.Options()
        options.skipsHidden = true
        options.skipped = output
        options.fileLimit = Self.countLimit + 1
        do throws(SystemError) {
            let walk = try FolderWalk(folder, options, where: FileName.isImage)
            hiddenCount += walk.hiddenCount
            let unread = walk.problems.map { ImageInput.unreadable($0.folder, $0.message) }
            guard !walk.files.isEmpty || !unread.isEmpty else {
                return [.unreadable(folder, "there are no images in this folder")]
            }
            return walk.files.map { ImageInput(name: folder.appending($0).bytes, folder: $0.folder) } + unread
        } catch {
            return [.unreadable(folder, "the folder cannot be read: \(error)")]
        }
    }
}
