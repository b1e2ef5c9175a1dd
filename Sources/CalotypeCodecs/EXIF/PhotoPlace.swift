package import Foundation

/// The place where a photograph was taken, from the GPS directory of its EXIF block. Results never have it.
package struct PhotoPlace: Hashable, Sendable {
    /// Degrees north of the equator, from -90 to 90, to seven decimals.
    package let latitude: Double
    /// Degrees east of Greenwich, from -180 to 180, to seven decimals.
    package let longitude: Double

    private enum Tag {
        static let (latitudeSide, latitude, longitudeSide, longitude) = (1, 2, 3, 4)
    }

    /// Reads the place of a file, or returns `nil` if the file has none, or an impossible one.
    package init?(of file: Data) {
        let place: PhotoPlace? = file.reading { bytes in
            let file = ByteReader(bytes)
            guard let range = EXIFLocation.range(in: file), let main = EXIFDirectory(file.slice(range)) else {
                return nil
            }
            return main.directory(at: EXIFDirectory.placeTag).flatMap(PhotoPlace.init(directory:))
        }
        guard let place else { return nil }
        self = place
    }

    private init?(directory: EXIFDirectory) {
        let values = directory.values
        func degrees(_ tag: Int, _ sideTag: Int, from positive: StaticString, _ negative: StaticString) -> Double? {
            guard
                let value = values.first(where: { $0.tag == tag && $0.type == EXIFDirectory.rational && $0.count == 3 }
                ),
                let side = directory.text(sideTag)?.first
            else { return nil }
            let isPositive = side == positive.utf8Start.pointee
            guard isPositive || side == negative.utf8Start.pointee else { return nil }
            return Self.degrees(directory.bytes(of: value), directory.bigEndian).map { isPositive ? $0 : 0 - $0 }
        }
        guard let latitude = degrees(Tag.latitude, Tag.latitudeSide, from: "N", "S"), abs(latitude) <= 90,
            let longitude = degrees(Tag.longitude, Tag.longitudeSide, from: "E", "W"), abs(longitude) <= 180
        else { return nil }
        (self.latitude, self.longitude) = (latitude, longitude)
    }

    /// Returns the degrees for three fractions: of degrees, minutes and seconds. `nil` if one of them divides by zero.
    private static func degrees(_ bytes: [UInt8], _ bigEndian: Bool) -> Double? {
        bytes.withUnsafeBytes { pointer in
            let reader = ByteReader(pointer)
            var sum = 0.0
            for (index, unit) in [1.0, 60, 3600].enumerated() {
                guard let part = reader.uint32(at: 8 * index, bigEndian: bigEndian),
                    let whole = reader.uint32(at: 8 * index + 4, bigEndian: bigEndian), whole > 0
                else { return nil }
                sum += Double(part) / Double(whole) / unit
            }
            return (sum * 1e7).rounded() / 1e7
        }
    }
}
