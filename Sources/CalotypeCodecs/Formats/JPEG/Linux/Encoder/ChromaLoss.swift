/// What an image's chroma loses at half of its resolution, from some of the rows.
///
/// The mean of fourth powers tells drawings and text from photographs, whose losses are spread.
struct ChromaLoss {
    private var sum = 0, pixels = 0

    /// Returns whether the loss is at least this large, in levels of 0 to 255.
    func isAtLeast(_ level: Int) -> Bool { pixels > 0 && sum >= level * level * level * level * pixels }

    mutating func count(_ more: Int) { pixels += more }

    /// Adds the loss of columns: even and odd ones against a row of half their number, all in quarters of a level.
    mutating func add(
        _ even: UnsafePointer<Int16>, _ odd: UnsafePointer<Int16>, against row: UnsafePointer<Int16>, count: Int
    ) {
        for x in 1..<max(count - 1, 1) {
            let here = 3 &* Int32(row[x])
            add(
                Int32(even[x]), against: here &+ Int32(row[x &- 1]), Int32(odd[x]),
                against: here &+ Int32(row[x &+ 1]))
        }
    }

    /// Adds the loss of two rows in quarters of a level against a row of a result and its neighbors, `stride` apart, in
    /// whole levels. Each stands for two columns.
    mutating func add(
        _ upper: UnsafePointer<Int16>, _ lower: UnsafePointer<Int16>, against result: UnsafePointer<Int16>, stride: Int,
        count: Int
    ) {
        for x in 0..<count {
            let here = 12 &* Int32(result[x])
            add(
                Int32(upper[x]), against: here &+ 4 &* Int32(result[x &- stride]), Int32(lower[x]),
                against: here &+ 4 &* Int32(result[x &+ stride]))
        }
    }

    /// Adds two differences of samples in 1/4 and sums in 1/16.
    @inline(__always)
    private mutating func add(_ one: Int32, against oneSum: Int32, _ other: Int32, against otherSum: Int32) {
        let (first, second) = ((one &* 4 &- oneSum) >> 4, (other &* 4 &- otherSum) >> 4)
        let squares = (first &* first, second &* second)
        sum &+= Int(squares.0) &* Int(squares.0) &+ Int(squares.1) &* Int(squares.1)
    }
}
