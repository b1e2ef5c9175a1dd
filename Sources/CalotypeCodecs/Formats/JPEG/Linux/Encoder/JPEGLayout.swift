/// The components of a JPEG and the blocks that they consist of.
struct JPEGLayout {
    struct Component {
        /// Sampling factors, in both directions.
        let factor: Int
        /// The index of the quantization table.
        let table: Int
        /// The size in blocks that contain pixels.
        let columns: Int, rows: Int
        /// The samples in a row, with the blocks that fill the last MCU.
        let stride: Int
    }

    let width: Int
    let height: Int
    let isSubsampled: Bool
    let components: [Component]
    /// The size in MCUs.
    let columns: Int, rows: Int

    init(width: Int, height: Int, isSubsampled: Bool, isGray: Bool = false, tables: Int) {
        (self.width, self.height, self.isSubsampled) = (width, height, isSubsampled)
        let side = isSubsampled ? 16 : 8
        let (columns, rows) = ((width + side - 1) / side, (height + side - 1) / side)
        (self.columns, self.rows) = (columns, rows)
        components = (0..<(isGray ? 1 : 3)).map { index in
            let factor = index == 0 && isSubsampled ? 2 : 1
            let pixels = side / factor
            return Component(
                factor: factor, table: min(index, tables - 1), columns: (width + pixels - 1) / pixels,
                rows: (height + pixels - 1) / pixels, stride: columns * factor * 8)
        }
    }

    /// The width and height of an MCU.
    var side: Int { isSubsampled ? 16 : 8 }
}
