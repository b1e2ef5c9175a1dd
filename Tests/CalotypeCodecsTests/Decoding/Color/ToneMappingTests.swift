import CalotypeTesting
import Foundation
import TestSupport
import Testing

@testable import CalotypeCodecs

/// The mapping of PQ and HLG against the function of ITU-R BT.2390 in doubles, and the peak that a file states.
@Suite struct ToneMappingTests {
    /// Returns the sRGB value, 0 to 255, of gray light in cd/m².
    private static func expected(_ light: Double, peak: Double) -> Double {
        let linear = min(HighlightCurve.shown(light, peak: peak) / HighlightCurve.white, 1)
        return 255 * (linear <= 0.003_130_8 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055)
    }

    /// Returns what the mapping makes of gray with 16 bits.
    private static func mapped(_ values: [UInt16], _ curve: CodedColors.Curve, peak: Double) throws -> [Int] {
        var colors = try #require(CodedColors(primaries: 9, transfer: curve == .pq ? 16 : 18))
        colors.peak = peak
        let mapping = try #require(ToneMapping(colors, bits: 16))
        var samples = values.map { SIMD4($0, $0, $0, .max) }
        var row = [UInt32](repeating: 0, count: values.count)
        samples.withUnsafeMutableBufferPointer { samples in
            mapping.apply(to: samples)
            row.withUnsafeMutableBufferPointer { samples.round(to: $0) }
        }
        return row.map { Int($0 >> 8 & 0xFF) }
    }

    @Test(arguments: [100, 203, 204, 400, 1000, 4000, 10_000])
    func `PQ follows the function of BT.2390 within one step, from any peak`(peak: Double) throws {
        let values = stride(from: 0, through: 65_535, by: 15).map { UInt16($0) }
        let levels = try Self.mapped(values, .pq, peak: peak)
        for (value, level) in zip(values, levels) {
            let light = PQCurve.light(of: Double(value) / 65_535)
            #expect(abs(Double(level) - Self.expected(light, peak: peak)) <= 1, "\(light) cd/m²")
        }
        #expect(levels == levels.sorted())
    }

    @Test func `HLG follows it from 1,000 cd/m², whatever the file states`() throws {
        let values = stride(from: 0, through: 65_535, by: 15).map { UInt16($0) }
        let levels = try Self.mapped(values, .hlg, peak: 400)
        let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
        for (value, level) in zip(values, levels) {
            let stored = Double(value) / 65_535
            let scene = stored <= 0.5 ? stored * stored / 3 : (exp((stored - c) / a) + b) / 12
            #expect(abs(Double(level) - Self.expected(1000 * pow(scene, 1.2), peak: 1000)) <= 1, "\(stored)")
        }
        #expect(levels == levels.sorted())
    }

    @Test(arguments: [CodedColors.Curve.pq, .hlg])
    func `a ramp of 16 bits keeps at least 200 levels`(curve: CodedColors.Curve) throws {
        let ramp = (0..<1024).map { UInt16($0 * 65_535 / 1023) }
        let levels = try Self.mapped(ramp, curve, peak: SourcePeak.standard)
        #expect(Set(levels).count >= 200 && levels == levels.sorted())
    }

    // MARK: - The peak

    /// Returns a PNG with these chunks before its pixels.
    private static func png(_ chunks: [(name: String, content: [UInt8])], damaging damaged: String? = nil) -> Data {
        func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        for (name, content) in chunks + [("IDAT", []), ("cLLI", number(99_000_000) + number(1))] {
            let named = Array(name.utf8) + content
            bytes += number(content.count) + named
            bytes += number(PNGChunks.Chunk.checksum(named) ^ (name == damaged ? 1 : 0))
        }
        return Data(bytes)
    }

    private static func light(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }

    private static func display(_ value: UInt32) -> [UInt8] {
        [UInt8](repeating: 0, count: 16) + light(value) + light(50)
    }

    @Test func `the peak of a PNG is that of its content, else of its display, and of no damaged or odd chunk`() {
        func peak(_ chunks: [(name: String, content: [UInt8])], damaging damaged: String? = nil) -> Double? {
            Self.png(chunks, damaging: damaged).reading { SourcePeak.ofPNG(ByteReader($0)) }
        }
        let content = ("cLLI", Self.light(6_000_000) + Self.light(1_000_000))
        let display = ("mDCV", Self.display(40_000_000))
        #expect(peak([]) == nil)
        #expect(peak([content]) == 600 && peak([display]) == 4000)
        #expect(peak([display, content]) == 600 && peak([content, display]) == 600)
        #expect(peak([content, display], damaging: "cLLI") == 4000)
        #expect(peak([("cLLI", Self.light(0) + Self.light(0)), display]) == 4000)
        #expect(peak([("cLLI", Self.light(100_000_001) + Self.light(0))]) == nil)
        #expect(peak([("cLLI", Self.light(100_000_000) + Self.light(0))]) == 10_000)
        #expect(peak([("cLLI", Self.light(9_999) + Self.light(0))]) == nil)
        #expect(peak([("cLLI", Self.light(6_000_000))]) == nil && peak([("mDCV", Self.light(6_000_000))]) == nil)
    }

    @Test func `the peak of an AVIF or HEIC is that of its only property`() {
        func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
            Self.light(UInt32(8 + content.count)) + Array(name.utf8) + content
        }
        func peak(_ properties: [[UInt8]]) -> Double? {
            let list = box("ipco", properties.flatMap { $0 })
            let file = Data(box("ftyp", [1, 2]) + box("meta", [0, 0, 0, 0] + box("iprp", list)))
            return file.reading { SourcePeak.ofItems(ByteReader($0)) }
        }
        let (content, display) = (box("clli", [2, 88, 0, 100]), box("mdcv", Self.display(40_000_000)))
        #expect(peak([]) == nil && peak([content]) == 600 && peak([display]) == 4000)
        #expect(peak([display, content]) == 600)
        #expect(peak([content, content]) == nil && peak([content, content, display]) == 4000)
        #expect(peak([box("clli", [0, 0, 0, 0]), display]) == 4000 && peak([box("clli", [2])]) == nil)
        #expect(peak([box("mdcv", [1])]) == nil)
    }

    @Test func `a brighter source is shown darker, so that its highlights stay apart`() throws {
        let values = [300, 600, 900].map { UInt16((65_535 * PQCurve.stored(of: $0)).rounded()) }
        let (usual, bright) = (
            try Self.mapped(values, .pq, peak: 1000), try Self.mapped(values, .pq, peak: 4000)
        )
        #expect(zip(usual, bright).allSatisfy { $0 > $1 })
    }
}
