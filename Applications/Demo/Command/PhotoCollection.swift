import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeConsole
import CalotypeDemo
import Foundation

struct Photo: Sendable {
    let name: ByteString
    let data: Data
    let format: ImageFormat
}

struct PhotoCollection: Sendable {
    /// The maximum number of photographs. The demo holds all of them in memory.
    static let countLimit = 60
    static let byteLimit = 512_000_000

    let directory: LocalPath
    let photos: [Photo]
    /// The subdirectories that cannot be read.
    let problems: [FolderWalk.Problem]
    var byteCount: Int { photos.reduce(0) { $0 + $1.data.count } }

    /// The subdirectory of the standard directory that has photographs. Others have drawings for desktops.
    private static let photographs: ByteString = "nature/"

    /// Reads the images in a directory and its subdirectories, sorted by path, up to the limits. Skips other files. Of the
    /// standard directory, the photographs come first.
    init(directory: LocalPath) throws(FileError) {
        guard directory.isFolder else { throw FileError("\(directory) is not a directory") }
        let walk: FolderWalk
        do throws(SystemError) { walk = try FolderWalk(directory, where: FileName.isImage) } catch {
            throw FileError("\(directory) cannot be read", error.number)
        }
        self.directory = directory
        problems = walk.problems
        var photos: [Photo] = []
        var left = PhotoCollection.byteLimit
        let isStandard = directory.text == PhotoFolder.standardPath
        let first = walk.files.filter { isStandard && $0.bytes.hasPrefix(PhotoCollection.photographs) }
        let files = first + walk.files.filter { !first.contains($0) }
        for path in files where photos.count < PhotoCollection.countLimit {
            guard let photo = PhotoCollection.photo(at: directory.appending(path), limit: left) else { continue }
            photos.append(photo)
            left -= photo.data.count
        }
        self.photos = photos
    }

    private static func photo(at path: LocalPath, limit: Int) -> Photo? {
        guard let data = try? InputFile.read(path, limit: limit),
            let header = try? DecoderRegistry.standard.header(of: data)
        else { return nil }
        return Photo(name: path.name, data: data, format: header.format)
    }
}
