public import Foundation

/// The pictures of a folder and of those below it, in the order of their paths. Nothing is read but the names.
public struct PhotoFolder: Sendable {
    /// Where Debian's package mate-backgrounds puts them.
    public static let standardPath = "/usr/share/backgrounds/mate"

    private static let limit = 10_000
    private static let endings: Set = ["jpg", "jpeg", "png", "webp", "gif"]

    public let path: String
    public let files: [URL]

    /// - Throws: where there is no such folder, or no picture in it.
    public init(path: String) throws(PhotoFolderError) {
        self.path = path
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue else {
            throw PhotoFolderError(message: "there is no folder \(path)")
        }
        let below = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        files = below.filter { PhotoFolder.endings.contains(($0 as NSString).pathExtension.lowercased()) }
            .sorted().prefix(PhotoFolder.limit).map { URL(fileURLWithPath: path).appending(path: $0) }
        if files.isEmpty { throw PhotoFolderError(message: "there are no pictures in \(path)") }
    }
}

/// Why a folder has no photos to give: one line for people.
public struct PhotoFolderError: Error, Hashable, Sendable, CustomStringConvertible {
    public let message: String

    public var description: String { message }
}
