import Foundation

/// One image of a run: a file, a URL, or standard input.
struct ImageInput: Hashable, Sendable {
    /// The path, such as "photos/summer/lake.jpg"; the URL; or "-" for standard input.
    let name: String
    /// The subfolder of a file found in a folder, relative to that folder, such as "summer"; empty for other inputs.
    var folder = ""
    /// The reason that a folder yields no images: it contains no images, or cannot be read. `nil` for an image.
    var problem: Failure?

    var stem: String { FileName.parts(fileName).stem }

    /// The last part of a path, such as "lake.jpg"; a safe file name for a URL; "image" for standard input.
    var fileName: String {
        if name == "-" { return "image" }
        if let address = try? Address(name, allowsPaths: true), address.isURL { return FileName.of(address.url) }
        return (name as NSString).lastPathComponent
    }

    fileprivate static func unsuitable(_ folder: String, _ reason: String) -> ImageInput {
        ImageInput(name: folder, problem: Failure(code: "fileUnreadable", reason))
    }
}

enum ImageInputs {
    /// The maximum number of images, so that a list given by mistake does not fill the memory.
    static let countLimit = 1_000_000

    /// - Parameter output: A folder to skip, because it receives the results.
    static func read(_ arguments: Arguments, without output: String? = nil) throws(UsageError) -> [ImageInput] {
        let names = try InputList.read(arguments, noun: "an input")
        if names.filter({ $0 == "-" }).count + arguments.all(.from).filter({ $0 == "-" }).count > 1 {
            throw arguments.error("standard input (-) can be read only once")
        }
        var inputs: [ImageInput] = []
        for name in names {
            if Destination.isDirectory(name) {
                inputs += files(in: name, without: output)
            } else {
                inputs.append(ImageInput(name: name))
            }
            guard inputs.count <= countLimit else { throw arguments.error("more than \(countLimit) images") }
        }
        // A folder without images counts as one failed image, but is a usage error if no other input is usable.
        if let first = inputs.first?.problem, inputs.allSatisfy({ $0.problem != nil }) {
            throw arguments.error("\(inputs[0].name): \(first)")
        }
        return inputs
    }

    /// Returns the images in a folder and its subfolders, found by extension and sorted by path. Skips hidden files,
    /// hidden folders and the output folder.
    private static func files(in folder: String, without output: String?) -> [ImageInput] {
        let folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        guard let walk = FileManager.default.enumerator(atPath: folder) else {
            return [.unsuitable(folder, "the folder cannot be read")]
        }
        let hidden = output.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
        let root = URL(fileURLWithPath: folder).standardizedFileURL.path
        var paths: [String] = []
        while let path = walk.nextObject() as? String, paths.count <= countLimit {
            let isHidden = (path as NSString).lastPathComponent.hasPrefix(".") || "\(root)/\(path)" == hidden
            if Destination.isDirectory("\(folder)/\(path)") {
                if isHidden { walk.skipDescendants() }
            } else if FileName.isImage(path), !isHidden {
                paths.append(path)
            }
        }
        guard !paths.isEmpty else { return [.unsuitable(folder, "there are no images in this folder")] }
        return paths.sorted().map { path in
            ImageInput(
                name: folder == "/" ? "/\(path)" : "\(folder)/\(path)",
                folder: (path as NSString).deletingLastPathComponent)
        }
    }
}
