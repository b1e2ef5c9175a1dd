import Foundation
import Testing

@testable import CalotypeCodecs

@Suite struct SRGBDetectionTests {
    private func isSRGB(_ profile: Data) throws -> Bool {
        try #require(ColorProfile(Array(profile))).isSRGB
    }

    @Test(
        arguments: [2.1, 2.4, 4.0, 4.3],
        [.samples(256), .samples(1024), .samples(4096), .parametricSRGB, .longParametricSRGB] as [Profiles.Curve])
    func `sRGB is recognized in either version, by samples or by formula`(version: Double, curve: Profiles.Curve) throws
    {
        #expect(try isSRGB(Profiles.matrix(curve: curve, version: version)))
    }

    @Test(arguments: ["sRGB IEC61966-2.1", "c2", "Display P3", ""])
    func `sRGB is recognized under any name`(name: String) throws {
        #expect(try isSRGB(Profiles.matrix(curve: .parametricSRGB, name: name)))
    }

    @Test func `other primaries are not sRGB, whatever they are called`() throws {
        let displayP3 = try Profiles.matrix(
            curve: .parametricSRGB, name: "sRGB IEC61966-2.1", red: (0.680, 0.320), green: (0.265, 0.690))
        #expect(try !isSRGB(displayP3))
        #expect(try !isSRGB(Profiles.swapped()))
    }

    @Test(
        arguments: [
            .formula(type: 1, [1]), .formula(type: 1, [1.8]), .formula(type: 1, [2.2]), .formula(type: 1, [2.4]),
            .formula(type: 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 4.5, 0.04045]),
            // Lifted by 0.01 of full light: near black is no longer black.
            .formula(type: 5, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045, 0.01, 0.01]),
            .formula(type: 2, [2.2, 1, 0]), .formula(type: 3, [2.2, 1, 0, 0]), .samples(2),
        ] as [Profiles.Curve])
    func `other curves are not sRGB, however near`(curve: Profiles.Curve) throws {
        #expect(try !isSRGB(Profiles.matrix(curve: curve)))
        #expect(try !isSRGB(Profiles.matrix(curve: curve, version: 2.1)))
        #expect(try !isSRGB(Profiles.gray(curve: curve)))
    }

    @Test func `a grey profile with the curve of sRGB leaves nothing to convert`() throws {
        #expect(try isSRGB(Profiles.gray(curve: .parametricSRGB)))
        #expect(try isSRGB(Profiles.gray(curve: .samples(1024))))
    }

    @Test func `a profile cut short anywhere is never taken for sRGB, and never read past its end`() throws {
        let whole = try Profiles.matrix(curve: .samples(256), version: 2.1)
        #expect(try isSRGB(whole))
        let curve = try #require(whole.range(of: Data("curv".utf8))).lowerBound
        for count in stride(from: 132, to: curve + 12 + 512, by: 7) {
            #expect(try !isSRGB(whole.prefix(count)))
        }
    }

    @Test(arguments: ["A2B0", "D2B0"])
    func `a profile with a table is not judged by its matrix`(tag: String) throws {
        var profile = try Profiles.matrix(curve: .parametricSRGB)
        let copyright = try #require(profile.range(of: Data("cprt".utf8)))
        profile.replaceSubrange(copyright, with: Data(tag.utf8))
        #expect(try !isSRGB(profile))
    }
}
