import CalotypeBase
import CalotypeServer

/// Signed paths of thumbnails on our server.
enum ThumbnailURL {
    static let key = "736563726574", salt = "68656c6c6f"

    /// - Parameters:
    ///   - source: The source, such as local:///photo.jpg.
    ///   - buster: A text that makes equal thumbnails different for every cache.
    static func path(
        _ source: String, width: Int, format: String = "jpg", buster: String? = nil
    ) throws -> String {
        let options = "rs:fit:\(width):0" + (buster.map { "/cb:\($0)" } ?? "")
        let path = ByteString("/\(options)/plain/\(source)@\(format)")
        return try URLSigner(keys: key, salts: salt).signed(path).string
    }
}
