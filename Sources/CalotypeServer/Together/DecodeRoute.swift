import CalotypeBase
import CalotypeCodecs
import Foundation

/// The bitmap from which a result was drawn, if it is not the one that the result has alone.
///
/// It is part of the result's entity tag, since a result from another bitmap has other bytes. A server that finds a tag can
/// compute it again from the route in it, and so confirm the result without a decode.
struct DecodeRoute: Hashable, Sendable {
    /// Letters and digits.
    let text: ByteString

    init(_ size: DecodeSize) {
        // The codec may stop at the bitmap's own size, or needs twice as much for the filter.
        let factor = size.least == size.result ? "" : "f"
        text = "\(size.result.width)x\(size.result.height)\(factor)"
    }

    /// The size of the bitmap, such as "400 × 300".
    var size: String {
        text.string.filter { $0 != "f" }.replacingOccurrences(of: "x", with: " × ")
    }

    /// The longest text.
    private static let limit = 24

    /// Reads the route in an entity tag; `nil` for the tag of a result that was made alone.
    init?(inTag tag: ByteString) {
        let parts = tag.split(separator: UInt8(ascii: "-"))
        guard parts.count == 2, parts[1].count > 1, parts[1].count <= Self.limit else { return nil }
        let text = parts[1].bytes.dropLast()
        guard text.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }) else { return nil }
        self.text = ByteString(bytes: text)
    }
}
