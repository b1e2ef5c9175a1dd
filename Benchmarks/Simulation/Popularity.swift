import CalotypeTesting
import Foundation

/// The images and sizes that clients request: images by Zipf's law, and of each image one of four sizes.
enum Popularity {
    /// The probability of each size.
    static let sizes = [0.4, 0.3, 0.2, 0.1]

    static func size(_ random: inout SplitMix) -> Int {
        var rest = random.unit()
        for (size, share) in sizes.enumerated() {
            rest -= share
            if rest < 0 { return size }
        }
        return sizes.count - 1
    }

    /// Results that are requested equally often.
    struct Group {
        let count: Double
        /// The probability that a request is for a certain one of them.
        let probability: Double
    }

    /// Returns the results of any number of images, in groups: each of the most popular thousand images alone, the others in
    /// blocks of ranks that grow by a hundredth.
    static func groups(images: Double, exponent: Double) -> [Group] {
        var blocks: [(count: Double, weight: Double)] = []
        var rank = 1.0
        while rank <= images {
            let width = rank <= 1000 ? 1 : min((rank / 100).rounded(), images - rank + 1)
            // The sum of rank^-exponent, by the midpoint rule.
            let weight = integral(to: rank + width - 0.5, exponent) - integral(to: rank - 0.5, exponent)
            blocks.append((width, width == 1 ? pow(rank, -exponent) : weight))
            rank += width
        }
        let sum = blocks.reduce(0) { $0 + $1.weight }
        return blocks.flatMap { block in
            sizes.map { Group(count: block.count, probability: block.weight / sum / block.count * $0) }
        }
    }

    private static func integral(to rank: Double, _ exponent: Double) -> Double {
        exponent == 1 ? log(rank) : pow(rank, 1 - exponent) / (1 - exponent)
    }
}

/// The sizes of results and originals in bytes, by log-normal distributions.
enum ByteSizes {
    /// The mean size of a result.
    static let result = 25_000.0
    /// The mean size of an original.
    static let original = 650_000.0

    static func result(_ number: Int) -> Int { draw(UInt64(number) << 1, mean: result, spread: 0.6) }
    static func original(_ number: Int) -> Int { draw(UInt64(number) << 1 | 1, mean: original, spread: 0.8) }

    /// - Parameter spread: The standard deviation of the logarithm.
    private static func draw(_ number: UInt64, mean: Double, spread: Double) -> Int {
        var random = SplitMix(seed: number)
        // Box and Muller's method makes a normal distribution of two even ones.
        let normal = (-2 * log(1 - random.unit())).squareRoot() * cos(2 * .pi * random.unit())
        return max(Int(mean * exp(spread * normal - spread * spread / 2)), 200)
    }
}
