import Foundation

extension SimilarityImage {
    private static let leastSide = 256

    /// The size at which an image is compared.
    static func side(_ side: Int) -> Int { max(side, leastSide) }

    /// Reads an image, reflected at its edges until each side has 256 pixels.
    ///
    /// - Parameters:
    ///   - pixels: Rows of BGRA with premultiplied alpha.
    ///   - stride: The bytes from one row to the next.
    ///   - background: The gray below the image, in sRGB.
    convenience init(_ pixels: UnsafeRawBufferPointer, size: (width: Int, height: Int), stride: Int, background: Int) {
        self.init(width: Self.side(size.width), height: Self.side(size.height))
        let columns = (0..<width).map { Self.reflected($0, size.width) }
        for y in 0..<height {
            let row = UnsafeRawBufferPointer(rebasing: pixels[(Self.reflected(y, size.height) * stride)...])
            read(row, columns: columns, background: background)
            addRow()
        }
    }

    /// The score of an image of the same size beside this one: 100 for equal images.
    func score(of other: SimilarityImage) -> Double {
        var (sum, sizes) = (0.0, [(self, other)][...])
        while let (one, other) = sizes.popFirst() {
            sum += SimilaritySize(one, other).weightedSum
            if let smaller = one.next, let others = other.next { sizes.append((smaller, others)) }
        }
        return SimilarityWeights.score(ofSum: sum)
    }

    /// The position in an image of `count` pixels that is reflected at both edges, as often as necessary.
    private static func reflected(_ position: Int, _ count: Int) -> Int {
        let place = position % (2 * count)
        return place < count ? place : 2 * count - 1 - place
    }

    /// Writes one row in linear light, from 0 to 1: red, green and blue.
    private func read(_ pixels: UnsafeRawBufferPointer, columns: [Int], background: Int) {
        let (red, green, blue) = (light(0), light(1), light(2))
        Self.linear.withUnsafeBufferPointer { linear in
            for (x, column) in columns.enumerated() {
                let pixel = 4 * column
                let below = (255 - Int(pixels[pixel + 3])) * background
                let added = below == 0 ? 0 : (below + 127) / 255
                red[x] = linear[min(Int(pixels[pixel + 2]) + added, 255)]
                green[x] = linear[min(Int(pixels[pixel + 1]) + added, 255)]
                blue[x] = linear[min(Int(pixels[pixel]) + added, 255)]
            }
        }
    }

    /// Linear light of each of the 256 values of sRGB (IEC 61966-2-1).
    private static let linear: [Float] = (0..<256).map {
        let value = Double($0) / 255
        return Float(value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
    }
}
