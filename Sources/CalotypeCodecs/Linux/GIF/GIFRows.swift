/// The order of a GIF's rows. Interlaced images have four passes (GIF89a, appendix E), which begin with every 8th row.
struct GIFRows: Sequence, IteratorProtocol {
    private static let passes = [(start: 0, step: 8), (start: 4, step: 8), (start: 2, step: 4), (start: 1, step: 2)]

    private let height: Int
    private var passes: ArraySlice<(start: Int, step: Int)>
    private var row: Int

    init(height: Int, isInterlaced: Bool) {
        self.height = height
        passes = isInterlaced ? Self.passes[...] : [(start: 0, step: 1)]
        row = 0
    }

    mutating func next() -> Int? {
        while let pass = passes.first {
            if row < height {
                defer { row += pass.step }
                return row
            }
            passes.removeFirst()
            row = passes.first?.start ?? 0
        }
        return nil
    }
}
