import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
package import CalotypeListener
package import Foundation

/// A JSON API for the images of a folder:
///
/// | | |
/// |---|---|
/// | `/photos?page=2` | 30 photos: `current_page`, `total_pages`, `total_items`, `photos` |
/// | `/photos/17` | one photo: `id`, `name`, `image_url`, `image_format`, `thumb_hash` |
/// | `/images/17/small` | an image; also `medium`, `large` and `original` |
///
/// `image_url` points to the medium image in a page, and to the large image in a single photo.
package final class PhotoServer: Sendable {
    static let pageLength = 30

    private let listener: Listener

    /// - Parameters:
    ///   - folder: The folder of the images. Each image is read from disk unless the loader's memory has it.
    ///   - photoCount: The minimum number of photos, which a short folder reaches by repeating its images. The default
    ///     is the number of images.
    package init(
        _ folder: PhotoFolder, host: String = "127.0.0.1", port: Int = 0, photoCount: Int = 0
    ) throws(ListenerError) {
        let desk = PhotoDesk(folder, photoCount: photoCount)
        listener = try Listener(options: Listener.Options(host: host, port: port)) { await desk.answer($0) }
    }

    /// The address, such as http://127.0.0.1:8080.
    package var url: URL { listener.url }

    package func stop() { listener.stop() }
}

/// The handler of the server's requests.
private final class PhotoDesk: Sendable {
    private let folder: PhotoFolder
    private let count: Int
    private let loader: ImageLoader
    /// The ThumbHashes computed so far, at most one for each image of the folder.
    private let hashes = Locked([LocalPath: String]())

    init(_ folder: PhotoFolder, photoCount: Int) {
        self.folder = folder
        count = max(photoCount, folder.files.count)
        loader = ImageLoader(.ephemeral)
    }

    func answer(_ request: ListenerRequest) async -> ListenerResponse {
        guard request.method == .get || request.method == .head else { return ListenerResponse(status: 405) }
        let words = request.path.split(separator: "/").map(String.init)
        switch (words.first, words.count) {
        case ("photos", 1): return await page(request)
        case ("photos", 2):
            guard let id = Int(words[1]), let photo = await photo(id, "large") else { return notFound }
            return json(photo)
        case ("images", 3): return await image(words[1], words[2], request)
        default: return notFound
        }
    }

    private var notFound: ListenerResponse { ListenerResponse(status: 404) }

    private func page(_ request: ListenerRequest) async -> ListenerResponse {
        let query = URLComponents(string: request.target)?.queryItems ?? []
        let number = query.first { $0.name == "page" }?.value.map { Int($0) ?? 0 } ?? 1
        let length = PhotoServer.pageLength
        let pages = (count + length - 1) / length
        guard number > 0 else { return ListenerResponse(status: 400) }
        let first = number <= pages ? (number - 1) * length + 1 : count + 1
        var photos: [PhotoItem] = []
        for id in first..<min(first + length, count + 1) {
            if let photo = await photo(id, "medium") { photos.append(photo) }
        }
        return json(PhotoPage(currentPage: number, totalPages: pages, totalItems: count, photos: photos))
    }

    /// - Parameter id: The photo's number, from 1.
    private func photo(_ id: Int, _ size: String) async -> PhotoItem? {
        guard let file = file(id) else { return nil }
        // Several photos may show the same image, and then share its address, so that a client loads the image once.
        let picture = (id - 1) % folder.files.count + 1
        return PhotoItem(
            id: "\(id)", name: file.title, imageURL: URL(string: "/images/\(picture)/\(size)"),
            imageFormat: format(of: file).imageFormat.rawValue, thumbHash: await thumbHash(of: file))
    }

    /// Returns an image's ThumbHash, computed once from at most 100 × 100 pixels; `nil` if the image cannot be decoded.
    private func thumbHash(of file: LocalPath) async -> String? {
        if let known = hashes.withLock({ $0[file] }) { return known }
        let small = ImageRequest(source: .file(file.url), size: ResizeTarget(width: 100, height: 100))
        guard let bitmap = try? await loader.fetch(small), let hash = try? ThumbHash(bitmap) else { return nil }
        let text = hash.data.base64EncodedString()
        hashes.withLock { $0[file] = text }
        return text
    }

    private func file(_ id: Int) -> LocalPath? {
        (1...count).contains(id) ? folder.files[(id - 1) % folder.files.count] : nil
    }

    private func json(_ value: some Encodable) -> ListenerResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { return ListenerResponse(status: 500) }
        return ListenerResponse(fields: ["Content-Type": "application/json"], body: data)
    }
}

// MARK: Images

extension PhotoDesk {
    /// Returns the format of resized images: JPEG for JPEG files, and WebP for others, which may be transparent.
    fileprivate func format(of file: LocalPath) -> EncodingFormat {
        file.imageFormat == .jpeg ? .jpeg() : .webp()
    }

    private static let sides = ["small": 320, "medium": 800, "large": 1920]

    private func image(_ id: String, _ size: String, _ request: ListenerRequest) async -> ListenerResponse {
        guard let file = Int(id).flatMap(file) else { return notFound }
        var fields: HTTPFields = ["Cache-Control": "max-age=3600"]
        do {
            if size == "original" {
                let original = try await loader.data(for: ImageRequest(source: .file(file.url)))
                return ListenerResponse(fields: fields, body: original)
            }
            guard let side = PhotoDesk.sides[size] else { return notFound }
            let request = ImageRequest(source: .file(file.url), size: ResizeTarget(width: side, height: side))
            let format = format(of: file)
            let data = try await loader.data(for: request, encodedAs: format)
            fields["Content-Type"] = ByteString(format.imageFormat.mediaType)
            return ListenerResponse(fields: fields, body: data)
        } catch {
            return ListenerResponse(status: 500, fields: ["Content-Type": "text/plain"], body: Data("\(error)\n".utf8))
        }
    }
}
