public import CalotypeCodecs
public import Foundation

/// A picture, and where it came from.
public struct ImageResponse: Sendable {
    public let bitmap: Bitmap
    /// The nearest layer that had it.
    public let origin: Origin
    /// Whether it went to memory, for whoever joined the work of someone that needed it only on the way.
    var isRemembered = false

    /// The layer that answered.
    public struct Origin: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let memory = Origin(rawValue: "memory")
        public static let disk = Origin(rawValue: "disk")
        public static let network = Origin(rawValue: "network")
        /// A `file:` or `data:` URL, or a custom source.
        public static let source = Origin(rawValue: "source")

        public var description: String { rawValue }
    }
}

/// The bytes of a picture as they came, and what came with them.
public struct DataResponse: Sendable {
    public let data: Data
    public let head: StoredHead
    public let origin: ImageResponse.Origin
}

/// How far a download is.
public struct LoadProgress: Hashable, Sendable {
    /// Bytes so far.
    public let received: Int
    /// Bytes in all; nil where the server does not say.
    public let expected: Int?

    public init(received: Int, expected: Int?) {
        self.received = received
        self.expected = expected
    }
}
