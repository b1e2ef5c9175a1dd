import CalotypeBase
import CalotypeHTTP
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The file of an original: at a path, or in a folder under the image's name.
struct OriginalFile: Sendable {
    private let target: LocalPath
    /// The name in the folder, whose extension may be that of another format; `nil` if `target` is the file itself.
    private let name: String?
    private let source: URL?

    /// The number of names that are tried in a folder: "photo.jpg", "photo-2.jpg" and so on.
    private static let nameLimit = 1_000

    /// - Throws: `fileUnwritable` if `url` is not the URL of a file.
    init(at url: URL, of source: URL?) throws(ImageError) {
        guard let target = LocalPath(fileURL: url) else {
            throw ImageError(.fileUnwritable, "\"\(url.absoluteString)\" is not the URL of a file", url: source)
        }
        self.target = target
        self.source = source
        guard target.bytes.hasSuffix("/") || target.isFolder else {
            name = nil
            return
        }
        // The path of a `data:` URL consists of the bytes.
        name = source.flatMap { $0.caselessScheme == "data" ? nil : FileName.of($0) } ?? "image"
    }

    /// Writes the file, which is complete or absent, and returns its URL.
    ///
    /// - Parameters:
    ///   - format: The format of the bytes, for the extension of a file in a folder; `nil` if no decoder reads it.
    ///   - cancellation: Ends the write, which then leaves no file.
    func write(_ data: Data, _ format: ImageFormat?, _ cancellation: Cancellation) throws(ImageError) -> URL {
        let draft = DraftFile(in: name == nil ? target.folder : target)
        do throws(SystemError) {
            defer { draft.remove() }
            try fill(draft, with: data, cancellation)
            let path = try publish(draft, format)
            return path.url
        } catch {
            if error.number == ECANCELED { throw .cancelled }
            throw ImageError(.fileUnwritable, "cannot write \(target): \(error)", url: source, underlying: error)
        }
    }

    private func fill(_ draft: DraftFile, with data: Data, _ cancellation: Cancellation) throws(SystemError) {
        let descriptor = try draft.create()
        let problem = data.withUnsafeBytes { bytes -> SystemError? in
            do throws(SystemError) {
                try draft.fill(descriptor, with: bytes) { !cancellation.isCancelled }
                return nil
            } catch {
                return error
            }
        }
        if let problem { throw problem }
        // An empty or short file had no later check.
        if cancellation.isCancelled { throw SystemError(ECANCELED) }
    }

    /// Gives the draft its name: that of the target, or the first free one in the folder.
    private func publish(_ draft: DraftFile, _ format: ImageFormat?) throws(SystemError) -> LocalPath {
        guard let name else {
            try draft.replace(target)
            return target
        }
        let (stem, suffix) = FileName.parts(format?.named(name) ?? name)
        var path = target.appending(name: ByteString(stem + suffix))
        for number in 2...Self.nameLimit {
            do throws(SystemError) {
                try draft.publish(as: path)
                return path
            } catch {
                guard error.number == EEXIST else { throw error }
                let short = FileName.shortened(stem, to: FileName.lengthLimit - 30)
                path = target.appending(name: ByteString("\(short)-\(number)\(suffix)"))
            }
        }
        throw SystemError(EEXIST)
    }
}
