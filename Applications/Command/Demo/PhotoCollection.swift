import CalotypeCodecs
import Foundation

struct Photo: Sendable {
    let name: String
    let data: Data
    let format: ImageFormat
}

struct PhotoCollection: Sendable {
    /// The maximum number of photographs. The demo holds all of them in memory.
    static let countLimit = 60
    static let byteLimit = 512_000_000

    let directory: String
    let photos: [Photo]
    var byteCount: Int { photos.reduce(0) { $0 + $1.data.count } }

    /// Reads the images in a directory and its subdirectories, sorted by path, up to the limits. Skips other files.
    init(directory: String) throws(FileError) {
        guard Destination.isDirectory(directory) else { throw FileError("\(directory) is not a directory") }
        self.directory = directory
        var photos: [Photo] = []
        var left = PhotoCollection.byteLimit
        for path in PhotoCollection.paths(in: directory) where photos.count < PhotoCollection.countLimit {
            guard let photo = PhotoCollection.photo(at: "\(directory)/\(path)", limit: left) else { continue }
            photos.append(photo)
            left -= photo.data.count
        }
        self.photos = photos
    }

    private static func paths(in directory: String) -> [String] {
        guard let all = FileManager.default.enumerator(atPath: directory) else { return [] }
        return all.compactMap { $0 as? String }.filter(FileName.isImage).sorted()
    }

    private static func photo(at path: String, limit: Int) -> Photo? {
        guard let data = try? InputFile.read(path, limit: limit),
            let header = try? DecoderRegistry.standard.header(of: data)
        else { return nil }
        return Photo(name: (path as NSString).lastPathComponent, data: data, format: header.format)
    }
}
