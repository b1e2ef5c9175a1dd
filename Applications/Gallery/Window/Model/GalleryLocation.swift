import CalotypeBase
import CalotypeCodecs
import CalotypeDemo
import CalotypeHTTP
package import Foundation

/// A location of images: a folder, the JSON API of a server, or one or several images.
package struct GalleryLocation: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case folder
        case feed
        case image
    }

    package let kind: Kind
    /// The address of the folder, the server or the first image.
    package let url: URL
    /// The addresses of the images; empty unless `kind` is `image`.
    package private(set) var images: [URL] = []

    /// - Parameter text: An address or a path that the user typed or dropped, or that the settings contain.
    package init(_ text: String) throws(GalleryProblem) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else { throw GalleryProblem(.invalid, GalleryTexts.addressMissing) }
        let address = URL(text: ByteString(text))
        if let address, address.isFileURL {
            guard let path = LocalPath(fileURL: address) else {
                throw GalleryProblem(.invalid, GalleryTexts.noSuchPlace(text.withoutUserInfo))
            }
            self.init(path: path)
        } else if let address, let scheme = address.scheme?.lowercased(), address.host() != nil {
            guard scheme == "http" || scheme == "https" else {
                throw GalleryProblem(.invalid, GalleryTexts.unsupportedScheme(scheme))
            }
            let isImage = ImageFormat(fileExtension: address.pathExtension) != nil
            self.init(isImage ? .image : .feed, address)
        } else if text.hasPrefix("/") || text.hasPrefix("~") || text.hasPrefix(".") {
            self.init(path: LocalPath(text: (text as NSString).expandingTildeInPath))
        } else {
            // A text without a host may be a path below the current folder, such as "photos", or an incomplete address,
            // such as "localhost:8080".
            guard LocalPath(text: text).exists else {
                throw GalleryProblem(.invalid, GalleryTexts.noSuchPlace(text.withoutUserInfo))
            }
            self.init(path: LocalPath(text: text))
        }
    }

    /// Creates the location of several images that the user opens together.
    package init(images texts: [String]) throws(GalleryProblem) {
        var urls: [URL] = []
        for text in texts {
            let place = try GalleryLocation(text)
            guard place.kind == .image else { throw GalleryProblem(.invalid, GalleryTexts.severalPlaces) }
            urls.append(place.url)
        }
        guard let first = urls.first else { throw GalleryProblem(.invalid, GalleryTexts.addressMissing) }
        self.init(.image, first)
        images = urls
    }

    private init(path: LocalPath) {
        self.init(path.imageFormat != nil ? .image : .folder, path.absolute.url)
    }

    private init(_ kind: Kind, _ url: URL) {
        self.kind = kind
        self.url = url
        if kind == .image { images = [url] }
    }

    package var title: String {
        if images.count > 1 { return GalleryTexts.images }
        return GalleryLocation.title(of: url)
    }

    static func title(of url: URL) -> String {
        if let path = LocalPath(fileURL: url) { return path.name.displayed }
        guard let host = url.host() else { return url.lastPathComponent }
        return url.port.map { "\(host):\($0)" } ?? host
    }

    /// The address or path that opens this location again; `nil` for several images.
    package var text: String? {
        if images.count > 1 { return nil }
        return LocalPath(fileURL: url)?.text ?? url.absoluteString
    }
}
