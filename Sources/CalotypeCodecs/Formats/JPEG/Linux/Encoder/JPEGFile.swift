import Foundation

/// A JPEG that is written: its pixels and options.
struct JPEGFile {
    let source: JPEGSource
    let tables: JPEGTables
    let isProgressive: Bool
    /// Whether colors keep their full resolution. If `nil`, the image decides.
    let keepsColors: Bool?
    /// Whether the file has luma alone.
    let isGray: Bool
    let profile: Data?

    func write() throws(CodecError) -> Data {
        if !isGray, keepsColors != true, let file = try file(isSubsampled: true) { return file }
        return try file(isSubsampled: false) ?? Data()
    }

    /// Returns `nil` if the image's colors have to keep their full resolution.
    private func file(isSubsampled: Bool) throws(CodecError) -> Data? {
        let tables = isGray ? [tables.subsampled[0]] : tables.tables(isSubsampled: isSubsampled)
        let layout = JPEGLayout(
            width: source.width, height: source.height, isSubsampled: isSubsampled, isGray: isGray,
            tables: tables.count)
        let quantizer = try JPEGQuantizer(tables, columns: layout.components[0].columns)
        var planes = try JPEGPlanes(source, layout)
        var blocks = try JPEGBlocks(layout)
        for row in 0..<layout.rows {
            planes.read(row)
            try blocks.append(planes, quantizer)
        }
        if isSubsampled, keepsColors == nil, planes.losesColors { return nil }
        var writer = try JPEGWriter()
        writer.begin(layout, tables, isProgressive: isProgressive, profile)
        for scan in isGray ? JPEGScan.gray : isProgressive ? JPEGScan.progressive : JPEGScan.whole {
            var counts = try SymbolCounts()
            var coder = JPEGScanCoder(scan), counter = coder
            counter.code(blocks, to: &counts)
            writer.begin(scan, (0..<4).map { counts.code($0) })
            coder.code(blocks, to: &writer)
            writer.endScan()
        }
        return try writer.file()
    }
}

/// The segments of ITU-T T.81, annex B.
extension JPEGWriter {
    fileprivate mutating func begin(_ layout: JPEGLayout, _ tables: [[UInt8]], isProgressive: Bool, _ profile: Data?) {
        segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
        if let profile { segment(0xE2, Array("ICC_PROFILE\0\u{1}\u{1}".utf8) + profile) }
        segment(0xDB, tables.enumerated().flatMap { index, table -> [UInt8] in [UInt8(index)] + table })
        let components = layout.components.enumerated().flatMap { index, component -> [UInt8] in
            [UInt8(index + 1), UInt8(component.factor << 4 | component.factor), UInt8(component.table)]
        }
        let size = [layout.height, layout.width].flatMap { side -> [UInt8] in [UInt8(side >> 8), UInt8(side & 0xFF)] }
        segment(isProgressive ? 0xC2 : 0xC0, [8] + size + [UInt8(layout.components.count)] + components)
    }

    fileprivate mutating func begin(_ scan: JPEGScan, _ codes: [HuffmanCode?]) {
        var content: [UInt8] = []
        for (table, code) in codes.enumerated() {
            guard let code else { continue }
            content += [UInt8(table & 1) << 4 | UInt8(table >> 1)] + code.lengths + code.symbols
            use(code, as: table)
        }
        segment(0xC4, content)
        let components = scan.components.flatMap { index -> [UInt8] in [UInt8(index + 1), index == 0 ? 0 : 0x11] }
        segment(0xDA, [UInt8(scan.components.count)] + components + [UInt8(scan.first), UInt8(scan.last), 0])
    }
}
