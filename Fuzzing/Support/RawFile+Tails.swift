public import Foundation

/// The kinds whose directory stands at the end of the file.
extension RawFile {
    private static func little(_ numbers: Int...) -> Data {
        numbers.reduce(Data()) { $0 + RawBoxFile.bytes($1, 4).reversed() }
    }

    var crw: Data {
        let rotation = orientation.map { [1: 0, 6: 90, 3: 180, 8: 270][$0] ?? 45 }
        let size = Self.little(96, 64, 0, rotation ?? 45, 8)
        let properties = Self.heap([(0x1810, size)])
        return Data("II".utf8) + Self.little(26) + Data("HEAPCCDR".utf8) + Data(count: 12)
            + Self.heap([(0x2008, thumbnail), (0x300A, properties), (0x2007, preview)])
    }

    /// Returns values with a directory behind them, and its offset.
    public static func heap(_ values: [(tag: Int, data: Data)]) -> Data {
        var (heap, directory) = (Data(), Data(RawBoxFile.bytes(values.count, 2).reversed()))
        for (tag, data) in values {
            directory += RawBoxFile.bytes(tag, 2).reversed() + little(data.count, heap.count)
            heap += data
        }
        return heap + directory + little(heap.count)
    }

    var x3f: Data {
        var (file, entries) = (Data("FOVb".utf8) + Data(count: 36), Data())
        for (jpeg, coding) in [(thumbnail, 18), (previewWithFacts("SIGMA"), 18), (Self.samples, 30)] {
            entries += Self.little(file.count, jpeg.count + 28) + Data("IMA2".utf8)
            file += Data("SECi".utf8) + Self.little(0x20000, 2, coding, 96, 64, 0) + jpeg
        }
        return file + Data("SECd".utf8) + Self.little(0x20000, 3) + entries + Self.little(file.count)
    }
}
