import CalotypeTesting
import Foundation
import Testing
import TestSupport

@testable import CalotypeCodecs

struct PhotoPlaceTests {
    private static let jpeg = SamplePhotos.jpeg(width: 40, height: 30)

    private func place(_ block: Data) -> PhotoPlace? { PhotoPlace(of: SampleEXIF.jpeg(Self.jpeg, with: block)) }

    @Test(arguments: [true, false]) func `degrees, minutes and seconds become degrees`(isBigEndian: Bool) throws {
        let block = SampleEXIF.place(
            latitude: [(48, 1), (51, 1), (2988, 100)], longitude: [(2, 1), (17, 1), (402, 10)],
            isBigEndian: isBigEndian)
        let place = try #require(self.place(block))
        #expect(place.latitude == 48.8583 && place.longitude == 2.2945)
    }

    @Test func `south and west are negative`() throws {
        let block = SampleEXIF.place(
            latitude: [(33, 1), (51, 2), (0, 1)], longitude: [(70, 1), (30, 1), (0, 1)], sides: ("S", "W"))
        let place = try #require(self.place(block))
        #expect(place.latitude == -33.425 && place.longitude == -70.5)
    }

    @Test func `impossible places are none`() {
        let ten: [SampleEXIF.Fraction] = [(10, 1), (0, 1), (0, 1)]
        let latest: [SampleEXIF.Fraction] = [(90, 1), (0, 1), (0, 1)]
        #expect(place(SampleEXIF.place(latitude: latest, longitude: [(180, 1), (0, 1), (0, 1)])) != nil)
        #expect(place(SampleEXIF.place(latitude: [(90, 1), (0, 1), (1, 1)], longitude: ten)) == nil)
        #expect(place(SampleEXIF.place(latitude: ten, longitude: [(180, 1), (0, 1), (1, 1)])) == nil)
        #expect(place(SampleEXIF.place(latitude: [(10, 0), (0, 1), (0, 1)], longitude: ten)) == nil)
        #expect(place(SampleEXIF.place(latitude: [(10, 1), (0, 1)], longitude: ten)) == nil)
        #expect(place(SampleEXIF.place(latitude: ten, longitude: ten, sides: ("X", "E"))) == nil)
        #expect(place(SampleEXIF.block(artist: "Ann", copyright: nil)) == nil)
        #expect(PhotoPlace(of: Self.jpeg) == nil && PhotoPlace(of: Data()) == nil)
    }

    @Test func `a block that ends anywhere has a whole place or none`() {
        let block = SampleEXIF.place(latitude: [(48, 1), (51, 1), (30, 1)], longitude: [(2, 1), (17, 1), (40, 1)])
        let whole = place(block)
        for count in 0..<block.count { #expect(place(block.prefix(count)) == nil, "\(count) bytes") }
        #expect(whole != nil)
    }
}
