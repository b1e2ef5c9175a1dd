import Foundation

/// One channel of an image as a sum of a few two-dimensional cosines, as in BlurHash and ThumbHash.
struct CosinePlane {
    let across: Int
    let down: Int
    /// The factors of the cosines, row by row.
    var factors: [Float]

    /// Returns the plane's values, row by row.
    func values(_ cosines: Cosines) -> [Float] {
        let (size, columns, rows) = (cosines.size, cosines.columns, cosines.rows)
        var values = [Float](repeating: 0, count: size.width * size.height)
        var row = [Float](repeating: 0, count: across)
        for y in 0..<size.height {
            for i in 0..<across {
                row[i] = (0..<down).reduce(0) { $0 + factors[$1 * across + i] * rows[$1 * size.height + y] }
            }
            values.withUnsafeMutableBufferPointer { values in
                let line = UnsafeMutableBufferPointer(rebasing: values[y * size.width..<(y + 1) * size.width])
                for i in 0..<across {
                    let factor = row[i]
                    for x in 0..<size.width { line[x] += factor * columns[i * size.width + x] }
                }
            }
        }
        return values
    }

    /// Returns a plane whose factors are the averages of `values` multiplied by each cosine.
    static func averages(of values: [Float], _ cosines: Cosines, across: Int, down: Int) -> CosinePlane {
        let (size, columns, rows) = (cosines.size, cosines.columns, cosines.rows)
        var factors = [Float](repeating: 0, count: across * down)
        for y in 0..<size.height {
            let line = values[y * size.width..<(y + 1) * size.width]
            for i in 0..<across {
                var sum: Float = 0
                for (x, value) in line.enumerated() { sum += value * columns[i * size.width + x] }
                for j in 0..<down { factors[j * across + i] += sum * rows[j * size.height + y] }
            }
        }
        let count = Float(size.width * size.height)
        return CosinePlane(across: across, down: down, factors: factors.map { $0 / count })
    }
}

/// The values of the lowest-frequency cosines at each row and column, computed once for all planes of an image.
struct Cosines {
    let size: PixelSize
    /// For each horizontal cosine, its value at every column.
    let columns: [Float]
    /// For each vertical cosine, its value at every row.
    let rows: [Float]

    /// - Parameter offset: The sampling point within a pixel: 0 for its edge, 0.5 for its center.
    init(_ size: PixelSize, across: Int, down: Int, offset: Double) {
        self.size = size
        columns = Self.cosines(across, length: size.width, offset)
        rows = Self.cosines(down, length: size.height, offset)
    }

    private static func cosines(_ count: Int, length: Int, _ offset: Double) -> [Float] {
        (0..<count).flatMap { number in
            (0..<length).map { place in
                Float(cos(Double.pi * Double(number) * (Double(place) + offset) / Double(length)))
            }
        }
    }
}
