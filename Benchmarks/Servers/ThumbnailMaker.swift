import Foundation

/// A program or a library that makes thumbnails of the photographs in a folder.
protocol ThumbnailMaker {
    /// Makes a thumbnail of one photograph.
    mutating func thumbnail(of photo: String) async throws -> Data

    /// Makes a thumbnail of each photograph without any cache, and returns the total processor time, in seconds.
    mutating func makeAll(of photos: [String]) async throws -> Double
}

/// Thumbnails by a server in a separate process.
struct ServedThumbnails: ThumbnailMaker {
    let tree: ProcessTree
    let client: ThumbnailClient
    /// Returns the URL of a photograph's thumbnail. `number` differs in each call, and may make the URL unique.
    let url: @Sendable (_ photo: String, _ number: Int) throws -> String
    private var made = 0

    init(
        _ tree: ProcessTree, _ client: ThumbnailClient,
        url: @escaping @Sendable (_ photo: String, _ number: Int) throws -> String
    ) {
        (self.tree, self.client, self.url) = (tree, client, url)
    }

    mutating func thumbnail(of photo: String) async throws -> Data {
        made += 1
        return try await client.thumbnail(url(photo, made))
    }

    mutating func makeAll(of photos: [String]) async throws -> Double {
        let urls = try photos.enumerated().map { try url($1, made + 1 + $0) }
        made += photos.count
        let start = try tree.processorSeconds()
        // Keep two requests in flight, because each server has two workers.
        try await inTasks(2, urls) { [client] in _ = try await client.thumbnail($0) }
        return try tree.processorSeconds() - start
    }
}

/// Thumbnails by libvips in this process: from a file to the bytes of a JPEG, without HTTP.
struct VipsThumbnails: ThumbnailMaker {
    let vips: Vips
    let directory: String
    let width: Int

    func thumbnail(of photo: String) throws -> Data {
        let file = try Data(contentsOf: URL(fileURLWithPath: "\(directory)/\(photo)"))
        return try vips.jpegThumbnail(file, width: width, quality: 80)
    }

    func makeAll(of photos: [String]) async throws -> Double {
        try await allProcessorSeconds { for photo in photos { _ = try thumbnail(of: photo) } }
    }
}
