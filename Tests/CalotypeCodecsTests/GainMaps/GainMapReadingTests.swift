import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeCodecs

/// Finding the gain map of a JPEG and its numbers.
@Suite struct GainMapReadingTests {
    private static let twoStops = GainMapNumbers.Channel(least: 0, most: 2)

    @Test func `an index leads to the numbers of ISO 21496-1`() throws {
        let file = try GainMapFile.make()
        let source = try #require(try GainMap.source(in: file.data))
        #expect(source.dialect == .iso && source.isGray && !source.isAmbiguous)
        #expect(source.size == PixelSize(width: 80, height: 60))
        #expect(source.numbers == GainMapNumbers([Self.twoStops], baseHeadroom: 0, alternateHeadroom: 2))
        #expect(source.range?.upperBound == file.data.count)
    }

    @Test func `a directory in XMP is right where an index is stale`() throws {
        var file = try GainMapFile.make()
        file.index = .both
        let whole = try #require(try GainMap.source(in: file.data)?.range)
        // A program has added a segment to the base, and corrected the directory alone.
        file.place = (whole.lowerBound - 600, whole.count)
        #expect(try GainMap.source(in: file.data)?.range == whole)
    }

    @Test func `a directory in XMP leads to the numbers of Ultra HDR`() throws {
        var file = try GainMapFile.make()
        (file.iso, file.index) = (nil, .directory)
        file.hdrgm = """
            hdrgm:GainMapMin="-0.5" hdrgm:GainMapMax="2" hdrgm:Gamma='1.5' hdrgm:OffsetSDR="0.01" hdrgm:HDRCapacityMin="0.25"
            hdrgm:HDRCapacityMax="3"
            """
        let source = try #require(try GainMap.source(in: file.data))
        #expect(source.dialect == .adobe)
        let channel = GainMapNumbers.Channel(least: -0.5, most: 2, gamma: 1.5, baseOffset: 0.01)
        #expect(source.numbers == GainMapNumbers([channel], baseHeadroom: 0.25, alternateHeadroom: 3))
    }

    @Test func `XMP states numbers of three colors as lists`() throws {
        var file = try GainMapFile.make(inColor: true)
        (file.iso, file.hdrgm) = (nil, #"hdrgm:GainMapMin="0" hdrgm:HDRCapacityMax="2""#)
        file.mapXML = """
            <hdrgm:GainMapMax><rdf:Seq><rdf:li>1.5</rdf:li><rdf:li>2</rdf:li><rdf:li> 1 </rdf:li></rdf:Seq></hdrgm:GainMapMax>
            """
        let source = try #require(try GainMap.source(in: file.data))
        #expect(source.numbers.channels.map(\.most) == [1.5, 2, 1] && !source.isGray)
    }

    @Test(arguments: [
        // Of the numbers in the maker's note, in thousandths, the stops by the formula of Apple.
        (0, 0, 1.8), (0, 9, 1.62), (990, 20, 1.59898), (1000, 0, 3), (1000, 10, 2.3), (1500, 1000, 2),
    ])
    func `the headroom of Apple's maps follows from the maker's note`(first: Int, second: Int, stops: Double) throws {
        let file = try GainMapFile.apple(maker: (first, second))
        let source = try #require(try GainMap.source(in: file.data))
        #expect(source.dialect == .apple)
        #expect(abs(source.numbers.alternateHeadroom - stops) < 1e-6)
        #expect(source.numbers.channel(0).baseOffset == 0)
    }

    @Test func `the headroom in XMP precedes that of the maker's note`() throws {
        let file = try GainMapFile.apple(maker: (0, 0), headroom: 4)
        #expect(try GainMap.source(in: file.data)?.numbers.alternateHeadroom == 2)
    }

    @Test func `the values of Apple's maps become those of ISO 21496-1`() throws {
        let xmp = try #require(try GainMap.source(in: GainMapFile.apple(maker: (0, 0), headroom: 8).data))
        let table = try #require(xmp.table)
        for stored in [0, 10, 100, 200, 255] {
            let signal = Double(stored) / 255
            let light = signal < 0.081 ? signal / 4.5 : pow((signal + 0.099) / 1.099, 1 / 0.45)
            let gain = exp2(3 * Double(table[stored]) / 255)
            // Half a step of 8 bits of three stops.
            #expect(abs(log2(gain) - log2(1 + 7 * light)) <= 3 / 510.0 + 1e-9)
        }
    }

    @Test func `ISO 21496-1 precedes numbers of Ultra HDR that differ`() throws {
        var file = try GainMapFile.make()
        file.hdrgm = GainMapFile.plainHDRGM
        let source = try #require(try GainMap.source(in: file.data))
        #expect(source.dialect == .iso && !source.isAmbiguous)
        file.hdrgm = #"hdrgm:GainMapMax="3" hdrgm:HDRCapacityMax="3""#
        let other = try #require(try GainMap.source(in: file.data))
        #expect(other.numbers == source.numbers && other.isAmbiguous)
    }

    @Test func `the numbers keep their values in both forms`() throws {
        let channels = [
            GainMapNumbers.Channel(least: -1.25, most: 3.5, gamma: 0.8, baseOffset: 0.001, alternateOffset: 1 / 64),
            GainMapNumbers.Channel(least: 0, most: 2), GainMapNumbers.Channel(least: 0.5, most: 0.5),
        ]
        for channels in [channels, [channels[0]]] {
            let numbers = try #require(GainMapNumbers(channels, baseHeadroom: 0.5, alternateHeadroom: 3.25))
            let iso = numbers.iso.reading { GainMapNumbers(iso: ByteReader($0)) }
            #expect(iso == numbers)
            let xmp = Data(numbers.xmp.utf8).reading { GainMapNumbers(XMPProperties($0)) }
            #expect(xmp == numbers)
        }
    }

    @Test func `the drafts' common denominator is read`() throws {
        var bytes = Data([0, 0, 0, 0, 0x48]).bigEndian(4, bytes: 4)
        for number in [0, 8, -2, 8, 4, 1, 1] { bytes = bytes.bigEndian(number, bytes: 4) }
        let channel = GainMapNumbers.Channel(least: -0.5, most: 2, baseOffset: 0.25, alternateOffset: 0.25)
        let numbers = bytes.reading { GainMapNumbers(iso: ByteReader($0)) }
        #expect(numbers == GainMapNumbers([channel], baseHeadroom: 0, alternateHeadroom: 2))
    }

    @Test func `a file without a map has none, whatever images follow`() throws {
        var file = try GainMapFile.make()
        #expect(try GainMap.source(in: file.base) == nil)
        file.iso = nil
        #expect(try GainMap.source(in: file.data) == nil)
        #expect(!GainMap.isPresent(in: file.data))
    }
}
