import Foundation

extension GainMap {
    /// The largest error of a reduced map, as the root of the mean square in stops: about half a step of PQ with 8 bits, in which
    /// a stop has some 19 around paper white.
    private static let largestError = 0.03

    /// Returns a drawn map as it is encoded beside its base, and its quality.
    ///
    /// - Parameters:
    ///   - percent: The quality of the base.
    ///   - gamut: The gamut of the base. A gain that applies to its colors needs no profile.
    ///   - losses: How many times as much as the base the map loses: the least if it has a quarter of the base's sides, and the most if
    ///     it is as large, where an error covers fewer pixels.
    func prepared(
        besideQuality percent: Int, in gamut: ColorGamut, losing losses: ClosedRange<Double>
    ) throws(CodecError) -> (map: GainMap, quality: Int) {
        let map = try (primaries == gamut.primaries ? applyingToBase() : self).reduced()
        let density = min(max(Double(map.samples.width) / Double(samples.width) * plan.density, 0.25), 1)
        let loss = losses.lowerBound + (losses.upperBound - losses.lowerBound) * (density - 0.25) / 0.75
        return (map, max(100 - Int(Double(100 - percent) * loss), 30))
    }

    /// Returns a drawn map of at most half of its image's sides, if displays that interpolate it show nearly the same gain;
    /// otherwise this map.
    private func reduced() throws(CodecError) -> GainMap {
        guard plan.density > 0.75, min(samples.width, samples.height) > 1 else { return self }
        let half = PixelSize(width: (samples.width + 1) / 2, height: (samples.height + 1) / 2)
        let small = try samples.scaled(to: half, filter: .automatic)
        let shown = try small.scaled(to: samples.size, filter: .bilinear)
        return error(of: shown) <= Self.largestError ? changing(plan.drawn(half), small) : self
    }

    /// Returns the root of the mean square of the differences to other samples, in stops.
    private func error(of other: Bitmap) -> Double {
        let stops = (0..<3).map { index in
            let channel = numbers.channel(2 - index)
            return (0...255).map { value in
                Float(channel.least + (channel.most - channel.least) * pow(Double(value) / 255, 1 / channel.gamma))
            }
        }
        var sum = 0.0
        samples.withUnsafeBytes { own in
            other.withUnsafeBytes { shown in
                for y in 0..<samples.height {
                    let (first, second) = (y * samples.stride, y * other.stride)
                    var row: Float = 0
                    for place in 0..<4 * samples.width where place & 3 < 3 {
                        let gains = stops[place & 3]
                        let difference = gains[Int(own[first + place])] - gains[Int(shown[second + place])]
                        row += difference * difference
                    }
                    sum += Double(row)
                }
            }
        }
        return (sum / Double(3 * samples.width * samples.height)).squareRoot()
    }
}
