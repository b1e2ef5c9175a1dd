import CalotypeBase
import CalotypeServer
import CalotypeURLs

/// The signed paths of thumbnails on `calotype serve`.
enum ThumbnailURL {
    static let key = "736563726574", salt = "68656c6c6f"

    /// - Parameters:
    ///   - source: The source, such as local:///photo.jpg.
    ///   - buster: A text that makes the URL unique, so that no cache contains its thumbnail.
    static func path(
        _ source: String, width: Int, format: String = "jpg", buster: String? = nil
    ) throws -> String {
        let options = "rs:fit:\(width):0" + (buster.map { "/cb:\($0)" } ?? "")
        let path = ByteString("/\(options)/plain/\(source)@\(format)")
        return try URLSigner(keys: key, salts: salt).signed(path).string
    }
}
