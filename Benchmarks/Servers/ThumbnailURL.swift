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
        return try signed("/\(options)/plain/\(source)@\(format)")
    }

    /// Returns the path of a result that is the source itself.
    static func unchanged(_ source: String, buster: String) throws -> String {
        try signed("/raw:1/cb:\(buster)/plain/\(source)")
    }

    static func signed(_ path: String) throws -> String {
        try URLSigner(keys: key, salts: salt).signed(ByteString(path)).string
    }
}
