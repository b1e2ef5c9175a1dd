package import Foundation

/// The binary form of ISO 21496-1, annex C: versions, flags, then fractions of 32-bit numbers.
extension GainMapNumbers {
    /// The name in front of the numbers in a segment APP2.
    static let isoName: StaticString = "urn:iso:std:iso:ts:21496:-1\0"

    private enum Flag {
        static let hasThreeChannels = 0x80
        static let usesBaseColors = 0x40
        /// In drafts: the base is the brighter rendition.
        static let isBackward = 4
        /// In drafts: one denominator precedes all numerators.
        static let hasOneDenominator = 8
    }

    /// Reads the numbers, from the versions on. Returns `nil` if they are cut short, wrong, or of a later version.
    init?(iso bytes: ByteReader) {
        guard bytes.uint16(at: 0) == 0, let flags = bytes.uint8(at: 4), flags & Flag.isBackward == 0 else { return nil }
        var fractions = Fractions(bytes, at: 5, hasOneDenominator: flags & Flag.hasOneDenominator != 0)
        guard let base = fractions.next(), let alternate = fractions.next() else { return nil }
        var channels: [Channel] = []
        for _ in 0..<(flags & Flag.hasThreeChannels != 0 ? 3 : 1) {
            guard let least = fractions.next(isSigned: true), let most = fractions.next(isSigned: true),
                let gamma = fractions.next(), let baseOffset = fractions.next(isSigned: true),
                let alternateOffset = fractions.next(isSigned: true)
            else { return nil }
            channels.append(
                Channel(
                    least: least, most: most, gamma: gamma, baseOffset: baseOffset, alternateOffset: alternateOffset))
        }
        self.init(
            channels, baseHeadroom: base, alternateHeadroom: alternate,
            usesBaseColors: flags & Flag.usesBaseColors != 0)
    }

    /// The binary form, which ``init(iso:)`` reads.
    package var iso: Data {
        var data = Data([0, 0, 0, 0])
        data.append(
            UInt8((channels.count == 3 ? Flag.hasThreeChannels : 0) | (usesBaseColors ? Flag.usesBaseColors : 0)))
        let numbers =
            [baseHeadroom, alternateHeadroom]
            + channels.flatMap { [$0.least, $0.most, $0.gamma, $0.baseOffset, $0.alternateOffset] }
        for number in numbers {
            data.appendBigEndian(Int((number * Self.denominator).rounded()), bytes: 4)
            data.appendBigEndian(Int(Self.denominator), bytes: 4)
        }
        return data
    }

    /// The denominator of written fractions: 1/64 and powers of ten are exact, and the largest gamma fits.
    private static let denominator = 1_000_000.0

    /// Fractions that follow each other.
    private struct Fractions {
        private let bytes: ByteReader
        private var offset: Int
        /// The denominator of all, `nil` if each has its own.
        private var denominator: Int?
        private let hasOneDenominator: Bool

        init(_ bytes: ByteReader, at offset: Int, hasOneDenominator: Bool) {
            (self.bytes, self.offset, self.hasOneDenominator) = (bytes, offset, hasOneDenominator)
            guard hasOneDenominator else { return }
            denominator = bytes.uint32(at: offset)
            self.offset += 4
        }

        mutating func next(isSigned: Bool = false) -> Double? {
            guard let bits = bytes.uint32(at: offset) else { return nil }
            let numerator = isSigned ? Double(Int32(truncatingIfNeeded: bits)) : Double(bits)
            let below = hasOneDenominator ? denominator : bytes.uint32(at: offset + 4)
            offset += hasOneDenominator ? 4 : 8
            guard let below, below > 0 else { return nil }
            return numerator / Double(below)
        }
    }
}
