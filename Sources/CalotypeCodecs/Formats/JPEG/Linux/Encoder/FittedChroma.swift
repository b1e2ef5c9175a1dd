import CResample

/// Chroma planes of half the width and height, from which decoders come closest to the image.
///
/// Decoders interpolate between chroma samples with weights of 3/4 and 1/4 in each direction. The least squares solution of
/// that is exact, in one direction after the other, with two one-sided sums: of a sample's own even column and each second
/// one before it, and of its odd column and each second one after it, with weights that shrink by −1/3. Weights that shrink
/// faster take fewer bytes at equal quality: 20, −5 and 1, in 1/32. (One of each is the mean of a pair, as in libjpeg.)
struct FittedChroma: ~Copyable {
    /// The rows above and below a row of MCUs that its samples depend on.
    private static let margin = 4
    private static let rows = 16 + 2 * margin

    private let source: JPEGSource
    /// The samples in a row of the result.
    private let width: Int
    private let memory: WorkMemory
    private var loss = ChromaLoss()

    init(_ source: JPEGSource, width: Int) throws(CodecError) {
        // For Cb and Cr: a row, its even and odd columns, and the fitted rows.
        memory = try WorkMemory(bytes: 2 * (4 * width + 4 * (width + 4) + 2 * Self.rows * width))
        (self.source, self.width) = (source, width)
    }

    /// Whether the image loses too much, as far as the rows so far show. Small photographs lose more than larger ones.
    var losesColors: Bool { loss.isAtLeast(max(source.width, source.height) < 200 ? 14 : 8) }

    /// Computes 8 rows of both planes.
    mutating func read(_ index: Int, _ cb: UnsafeMutablePointer<Int16>, _ cr: UnsafeMutablePointer<Int16>) {
        let first = 16 * index - Self.margin
        // The last rows of the row of MCUs above are needed again.
        let kept = index == 0 ? 0 : 2 * Self.margin
        for plane in 0..<2 where kept > 0 {
            across(plane, 0).update(from: across(plane, 16), count: kept * width)
        }
        for y in kept..<Self.rows {
            fitAcross(source.row(first + y), y)
            guard y % 8 == 7, first + y < source.height else { continue }
            for plane in 0..<2 { loss.add(even(plane), odd(plane), against: across(plane, y), count: source.width / 2) }
            loss.count(source.width)
        }
        for (plane, result) in [cb, cr].enumerated() {
            for y in 0..<8 { calotype_jpeg_down(across(plane, 2 * y + Self.margin), width, result + y * width, width) }
            for y in [2, 5] where 16 * index + 2 * y + 1 < source.height {
                let row = across(plane, 2 * y + Self.margin)
                loss.add(row, row + width, against: result + y * width, stride: width, count: source.width / 2)
            }
        }
    }

    /// A row of the image, in quarters of a level.
    private func whole(_ plane: Int) -> UnsafeMutablePointer<Int16> {
        memory.start.assumingMemoryBound(to: Int16.self) + 2 * plane * width
    }

    /// The even columns of that row, with two more before the first.
    private func even(_ plane: Int) -> UnsafeMutablePointer<Int16> { whole(2) + 2 * plane * (width + 4) + 2 }

    /// The odd columns of that row, with two more after the last.
    private func odd(_ plane: Int) -> UnsafeMutablePointer<Int16> { even(plane) + width + 2 }

    /// A row that is fitted horizontally, in quarters of a level.
    private func across(_ plane: Int, _ y: Int) -> UnsafeMutablePointer<Int16> {
        whole(2) + 4 * (width + 4) + (plane * Self.rows + y) * width
    }

    private func fitAcross(_ pixels: UnsafePointer<UInt32>, _ y: Int) {
        calotype_jpeg_chroma(pixels, whole(0), whole(1), source.width, 13)
        for plane in 0..<2 {
            let row = whole(plane)
            row.repeatLast(of: source.width, upTo: 2 * width)
            calotype_jpeg_across(row, even(plane), odd(plane), across(plane, y), width)
        }
    }
}
