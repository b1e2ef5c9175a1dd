import Foundation

/// The numbers of a gain map by ISO 21496-1, which turn its values into factors of light.
///
/// A value `v` from 0 to 1 stands for a gain of `least + (most - least) * v^(1 / gamma)` stops. A display with the whole
/// headroom shows `(base + baseOffset) * 2^gain - alternateOffset`, in linear light where 1 is the white of the base.
package struct GainMapNumbers: Hashable, Sendable {
    /// The numbers of one color.
    package struct Channel: Hashable, Sendable {
        /// The gain at the value 0, in stops.
        package var least: Double
        /// The gain at the value 1, in stops.
        package var most: Double
        package var gamma = 1.0
        package var baseOffset = 1.0 / 64
        package var alternateOffset = 1.0 / 64

        package init(
            least: Double, most: Double, gamma: Double = 1, baseOffset: Double = 1 / 64,
            alternateOffset: Double = 1 / 64
        ) {
            (self.least, self.most, self.gamma) = (least, most, gamma)
            (self.baseOffset, self.alternateOffset) = (baseOffset, alternateOffset)
        }
    }

    /// The numbers of red, green and blue, or one element for all of them.
    package private(set) var channels: [Channel]
    /// The headroom at which a display shows the base unchanged, in stops.
    package let baseHeadroom: Double
    /// The headroom from which on a display applies the whole gain, in stops.
    package let alternateHeadroom: Double
    /// Whether the gain applies to the primaries of the base. Otherwise it applies to those of the map's profile.
    package var usesBaseColors: Bool

    /// The largest gain and headroom, in stops: far beyond the 5.6 stops between paper white and the most light of PQ.
    static let mostStops = 16.0
    /// The least difference between both headrooms, in stops. Files have numbers of millionths, and must not make them equal.
    private static let leastRange = 0.001
    private static let gammas = 0.01...100.0
    private static let offsets = -1.0...1.0

    /// - Returns: `nil` if a number is not finite, out of range or out of order, or if the base is the brighter rendition.
    package init?(_ channels: [Channel], baseHeadroom: Double, alternateHeadroom: Double, usesBaseColors: Bool = true) {
        let stops = -Self.mostStops...Self.mostStops
        // NaN is in no range.
        guard channels.count == 1 || channels.count == 3, (0...Self.mostStops).contains(baseHeadroom),
            (0...Self.mostStops).contains(alternateHeadroom), alternateHeadroom - baseHeadroom >= Self.leastRange,
            channels.allSatisfy({ channel in
                stops.contains(channel.least) && stops.contains(channel.most) && channel.least <= channel.most
                    && Self.gammas.contains(channel.gamma) && Self.offsets.contains(channel.baseOffset)
                    && Self.offsets.contains(channel.alternateOffset)
            })
        else { return nil }
        self.channels = Set(channels).count == 1 ? [channels[0]] : channels
        (self.baseHeadroom, self.alternateHeadroom) = (baseHeadroom, alternateHeadroom)
        self.usesBaseColors = usesBaseColors
    }

    /// Returns the numbers of red, green and blue: 0, 1 and 2.
    package func channel(_ index: Int) -> Channel { channels[channels.count == 1 ? 0 : index] }

    /// The values of a map, from 0 to 255 as blue, green and red, where the base stays as it is; `nil` if a color always gains.
    var neutral: SIMD3<Double>? {
        var values = SIMD3<Double>.zero
        for index in 0..<3 {
            guard let value = channel(2 - index).neutral else { return nil }
            values[index] = 255 * value
        }
        return values
    }

    /// Returns whether both sets have the same effect, except for differences that no display shows.
    func agree(with other: GainMapNumbers) -> Bool {
        func isNear(_ one: Double, _ other: Double) -> Bool { abs(one - other) <= 0.01 }
        return isNear(baseHeadroom, other.baseHeadroom) && isNear(alternateHeadroom, other.alternateHeadroom)
            && (0..<3).allSatisfy { index in
                let (one, other) = (channel(index), other.channel(index))
                return isNear(one.least, other.least) && isNear(one.most, other.most) && isNear(one.gamma, other.gamma)
                    && isNear(one.baseOffset, other.baseOffset)
                    && isNear(one.alternateOffset, other.alternateOffset)
            }
    }
}

extension GainMapNumbers.Channel {
    /// The value without a gain, from 0 to 1; `nil` if the range of gains excludes it.
    fileprivate var neutral: Double? {
        guard (least...most).contains(0) else { return nil }
        guard most > least else { return 0 }
        return pow(-least / (most - least), gamma)
    }
}
