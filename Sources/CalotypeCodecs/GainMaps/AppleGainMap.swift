import Foundation

/// Apple's gain maps, whose values are factors: `1 + (headroom - 1) * v`, for a value `v` in linear light.
///
/// The values are stored by the curve of Rec. 709. The headroom is in the XMP of newer maps, and follows from two numbers in
/// the maker's note of the base otherwise, by the formula in Apple's "Applying Apple HDR effect to your photos".
struct AppleGainMap {
    static let kind = "urn:com:apple:photo:2020:aux:hdrgainmap"

    /// The most light in relation to the base's white, above 1.
    let headroom: Double

    /// Returns `nil` if the numbers are missing or allow no more light than the base has.
    ///
    /// - Parameters:
    ///   - xmp: The properties of the map's image.
    ///   - exif: The EXIF block of the base, or `nil` if it has none.
    init?(_ xmp: XMPProperties, exif: ByteReader?) {
        let stated = xmp.values(XMPProperties.appleGainMap, "HDRGainMapHeadroom")?.first.flatMap { Double($0) }
        guard let headroom = stated ?? exif.flatMap({ AppleMakerNote($0)?.headroom }) else { return nil }
        guard headroom.isFinite, headroom > 1, log2(headroom) <= GainMapNumbers.mostStops else { return nil }
        self.headroom = headroom
    }

    /// The numbers of the map after its values were replaced by those of ``table``.
    var numbers: GainMapNumbers? {
        let stops = log2(headroom)
        let channel = GainMapNumbers.Channel(least: 0, most: stops, baseOffset: 0, alternateOffset: 0)
        return GainMapNumbers([channel], baseHeadroom: 0, alternateHeadroom: stops)
    }

    /// For each stored value, the value of a map by ISO 21496-1 with ``numbers``.
    var table: [UInt8] {
        let stops = log2(headroom)
        return (0...255).map { stored in
            let signal = Double(stored) / 255
            let light = signal < 0.081 ? signal / 4.5 : pow((signal + 0.099) / 1.099, 1 / 0.45)
            let value = 255 * log2(1 + (headroom - 1) * light) / stops
            return UInt8(min(max(value.rounded(), 0), 255))
        }
    }
}

/// The numbers of an iPhone's maker's note, which is a directory of its own in big-endian order.
private struct AppleMakerNote {
    private let note: ByteReader

    /// - Parameter exif: The EXIF block, with or without its name in front.
    init?(_ exif: ByteReader) {
        guard let photo = EXIFDirectory(exif)?.directory(at: EXIFDirectory.photoTag),
            let value = photo.values.first(where: { $0.tag == Self.tag })
        else { return nil }
        note = photo.reader(of: value)
        guard note.has("Apple iOS\0", at: 0) else { return nil }
    }

    private static let tag = 0x927C
    /// The offset of the directory, behind a name, a version and the order of bytes.
    private static let directory = 14

    var headroom: Double? {
        let numbers = (rational(33), rational(48))
        guard numbers.0 != nil || numbers.1 != nil else { return nil }
        // Cameras leave out one that is 0.
        let (first, second) = (numbers.0 ?? 0, numbers.1 ?? 0)
        let stops =
            first < 1
            ? (second <= 0.01 ? 1.8 - 20 * second : 1.601 - 0.101 * second)
            : (second <= 0.01 ? 3 - 70 * second : 2.303 - 0.303 * second)
        return exp2(max(stops, 0))
    }

    /// Returns a signed fraction, or `nil` if the tag is missing.
    private func rational(_ tag: Int) -> Double? {
        guard let count = note.uint16(at: Self.directory) else { return nil }
        for index in 0..<min(count, 512) {
            let entry = Self.directory + 2 + 12 * index
            guard note.uint16(at: entry) == tag else { continue }
            guard note.uint16(at: entry + 2) == 10, let place = note.uint32(at: entry + 8),
                let numerator = note.uint32(at: place), let denominator = note.uint32(at: place + 4), denominator > 0
            else { return nil }
            return Double(Int32(truncatingIfNeeded: numerator)) / Double(Int32(truncatingIfNeeded: denominator))
        }
        return nil
    }
}
