import CResample

/// The samples of one row of MCUs: luma, Cb and Cr around 0, with full blocks to the right and below.
struct JPEGPlanes: ~Copyable {
    private let layout: JPEGLayout
    private let source: JPEGSource
    private let memory: WorkMemory
    private var chroma: FittedChroma
    /// The planes of luma, Cb and Cr, each with as many rows as a row of MCUs has.
    let planes: [UnsafeMutablePointer<Int16>]

    init(_ source: JPEGSource, _ layout: JPEGLayout) throws(CodecError) {
        let counts = layout.components.map { $0.stride * $0.factor * 8 }
        let memory = try WorkMemory(bytes: 2 * counts.reduce(0, +))
        let chroma = try FittedChroma(source, width: layout.isSubsampled ? layout.components[1].stride : 0)
        let start = memory.start.assumingMemoryBound(to: Int16.self)
        (self.source, self.layout) = (source, layout)
        self.memory = memory
        self.chroma = chroma
        planes = counts.indices.map { start + counts[..<$0].reduce(0, +) }
    }

    /// Computes the samples of the row of MCUs with this index. To be called for each in turn.
    mutating func read(_ index: Int) {
        let first = index * layout.side, strides = layout.components.map(\.stride), width = source.width
        for y in 0..<layout.side {
            let luma = planes[0] + y * strides[0]
            calotype_jpeg_luma(source.row(first + y), luma, width)
            luma.repeatLast(of: width, upTo: strides[0])
        }
        guard planes.count > 1 else { return }
        guard !layout.isSubsampled else { return chroma.read(index, planes[1], planes[2]) }
        for y in 0..<8 {
            let cb = planes[1] + y * strides[1], cr = planes[2] + y * strides[1]
            calotype_jpeg_chroma(source.row(first + y), cb, cr, width, 15)
            cb.repeatLast(of: width, upTo: strides[1])
            cr.repeatLast(of: width, upTo: strides[1])
        }
    }

    /// Whether the image loses too much at half of the chroma's resolution, as far as the rows so far show.
    var losesColors: Bool { chroma.losesColors }
}

extension UnsafeMutablePointer<Int16> {
    func repeatLast(of count: Int, upTo end: Int) {
        (self + count).update(repeating: self[count - 1], count: end - count)
    }
}
