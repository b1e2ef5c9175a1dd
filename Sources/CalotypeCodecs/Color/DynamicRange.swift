/// The curves of images that are brighter than paper white.
package enum DynamicRange: String, CaseIterable, Sendable {
    /// The perceptual quantizer (SMPTE ST 2084).
    case pq
    /// Hybrid log-gamma (ARIB STD-B67).
    case hlg

    /// Returns the curve of a color space with this name, as ``DecoderRegistry/colors(of:)`` returns it; `nil` for others.
    package init?(colors name: String) {
        let found = Self.allCases.first { curve in
            [1, 9, 11, 12].contains { CodedColors.name(primaries: $0, transfer: curve.transfer) == name }
        }
        guard let found else { return nil }
        self = found
    }

    /// The code point of ITU-T H.273.
    private var transfer: Int {
        switch self {
        case .pq: 16
        case .hlg: 18
        }
    }
}
