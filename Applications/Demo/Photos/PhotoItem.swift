import CalotypeBase
import CalotypeHTTP
package import Foundation

/// A photo in the demo's JSON API.
package struct PhotoItem: Hashable, Identifiable, Sendable {
    package let id: String
    package let name: String
    /// The image's address, or `nil` if the API has no valid address.
    package let imageURL: URL?
    /// The format, such as "jpeg".
    package let imageFormat: String?
    /// A ThumbHash of the image in Base64, if the API has one.
    package let thumbHash: String?
}

package struct PhotoPage: Hashable, Sendable {
    package var currentPage: Int
    package var totalPages: Int
    package var totalItems: Int
    package var photos: [PhotoItem]
}

extension PhotoItem: Codable {
    enum CodingKeys: String, CodingKey {
        case id, name
        case imageURL = "image_url"
        case imageFormat = "image_format"
        case thumbHash = "thumb_hash"
    }

    /// Accepts numbers as ids, and decodes an invalid image address as `nil`: one bad photo must not hide the others.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        if let number = try? values.decode(Int.self, forKey: .id) {
            id = String(number)
        } else {
            id = try values.decode(String.self, forKey: .id)
        }
        name = (try? values.decodeIfPresent(String.self, forKey: .name)) ?? "Photo \(id)"
        let address = (try? values.decodeIfPresent(String.self, forKey: .imageURL)) ?? nil
        imageURL = address.flatMap { $0.isEmpty ? nil : URL(text: ByteString($0)) }
        imageFormat = (try? values.decodeIfPresent(String.self, forKey: .imageFormat)) ?? nil
        thumbHash = (try? values.decodeIfPresent(String.self, forKey: .thumbHash)) ?? nil
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        if let number = Int(id) { try values.encode(number, forKey: .id) } else { try values.encode(id, forKey: .id) }
        try values.encode(name, forKey: .name)
        try values.encode(imageURL?.absoluteString, forKey: .imageURL)
        try values.encode(imageFormat, forKey: .imageFormat)
        try values.encodeIfPresent(thumbHash, forKey: .thumbHash)
    }

    /// Returns the photo with an absolute image address, resolved against `base`.
    func resolved(against base: URL) -> PhotoItem {
        let whole = imageURL.flatMap { URL(reference: ByteString($0.absoluteString), relativeTo: base) }
        return PhotoItem(id: id, name: name, imageURL: whole, imageFormat: imageFormat, thumbHash: thumbHash)
    }
}

extension PhotoPage: Codable {
    enum CodingKeys: String, CodingKey {
        case currentPage = "current_page"
        case totalPages = "total_pages"
        case totalItems = "total_items"
        case photos
    }
}
