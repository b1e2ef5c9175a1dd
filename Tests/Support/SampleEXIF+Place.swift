package import Foundation

extension SampleEXIF {
    /// A fraction of two numbers, as EXIF has them.
    package typealias Fraction = (part: Int, whole: Int)

    /// Returns a block with nothing but the place where a photo was taken.
    ///
    /// - Parameters:
    ///   - latitude: Degrees, minutes and seconds.
    ///   - sides: "N" or "S", and "E" or "W".
    package static func place(
        latitude: [Fraction], longitude: [Fraction], sides: (String, String) = ("N", "E"), isBigEndian: Bool = true
    ) -> Data {
        func number(_ number: Int, _ bytes: Int) -> Data {
            let little = (0..<bytes).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
            return Data(isBigEndian ? little.reversed() : little)
        }
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Data) -> Data {
            number(tag, 2) + number(type, 2) + number(count, 4) + value + Data(count: 4 - value.count)
        }
        func fractions(_ values: [Fraction]) -> Data {
            values.reduce(Data()) { $0 + number($1.part, 4) + number($1.whole, 4) }
        }
        // A head of 8 bytes, a directory of one entry, one of four, and the fractions.
        let place = 8 + 2 + 12 + 4, values = place + 2 + 4 * 12 + 4
        var block = Data((isBigEndian ? "MM" : "II").utf8) + number(42, 2) + number(8, 4)
        block += number(1, 2) + entry(0x8825, 4, 1, number(place, 4)) + number(0, 4)
        block += number(4, 2) + entry(1, 2, 2, Data(sides.0.utf8) + [0])
        block += entry(2, 5, latitude.count, number(values, 4)) + entry(3, 2, 2, Data(sides.1.utf8) + [0])
        block += entry(4, 5, longitude.count, number(values + 8 * latitude.count, 4)) + number(0, 4)
        return block + fractions(latitude) + fractions(longitude)
    }
}
