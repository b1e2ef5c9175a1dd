import CLcms2
import Foundation
import Testing

/// ICC profiles made by lcms2.
enum Profiles {
    static func sRGB() throws -> Data {
        try bytes(#require(cmsCreate_sRGBProfile()))
    }

    /// Returns a profile with sRGB's primaries and another curve.
    static func rgb(gamma: Double) throws -> Data {
        try rgb(gamma: gamma, red: (0.64, 0.33), green: (0.30, 0.60))
    }

    /// Returns a profile with the primaries and the curve of Display P3.
    static func displayP3() throws -> Data {
        try matrix(curve: .parametricSRGB, name: "Display P3", red: (0.68, 0.32), green: (0.265, 0.69))
    }

    static func adobeRGB() throws -> Data {
        try matrix(curve: .formula(type: 1, [563.0 / 256]), red: (0.64, 0.33), green: (0.21, 0.71))
    }

    /// Returns the profile of RIMM/ROMM RGB, most of whose colors no screen has, for the light of its own white point.
    static func proPhoto() throws -> Data {
        let curve = try Curve.formula(type: 1, [1.8]).make()
        defer { cmsFreeToneCurve(curve) }
        var white = cmsCIExyY(x: 0.3457, y: 0.3585, Y: 1)
        var primaries = cmsCIExyYTRIPLE(
            Red: cmsCIExyY(x: 0.7347, y: 0.2653, Y: 1), Green: cmsCIExyY(x: 0.1596, y: 0.8404, Y: 1),
            Blue: cmsCIExyY(x: 0.0366, y: 0.0001, Y: 1))
        return try bytes(#require(cmsCreateRGBProfile(&white, &primaries, [curve, curve, curve])))
    }

    /// Returns the profile with one more tag, of the type of the same name.
    static func adding(_ tag: String, _ content: Data, to profile: Data) throws -> Data {
        func number(_ value: Int) -> Data { Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }) }
        let count = profile[128..<132].reduce(0) { $0 << 8 | Int($1) }
        var entries = Data()
        for index in 0..<count {
            let entry = profile[132 + 12 * index..<144 + 12 * index]
            let offset = entry.dropFirst(4).prefix(4).reduce(0) { $0 << 8 | Int($1) }
            entries += entry.prefix(4) + number(offset + 12) + entry.suffix(4)
        }
        let start = profile.count + 12
        entries += Data(tag.utf8) + number(start) + number(4 + content.count)
        let added =
            profile[4..<128] + number(count + 1) + entries + profile[(132 + 12 * count)...] + Data(tag.utf8) + content
        return number(4 + added.count) + added
    }

    /// Returns a profile that exchanges red and green.
    static func swapped() throws -> Data {
        try rgb(gamma: 2.2, red: (0.30, 0.60), green: (0.64, 0.33))
    }

    private static func rgb(
        gamma: Double, red: (x: Double, y: Double), green: (x: Double, y: Double)
    ) throws -> Data {
        try matrix(curve: .formula(type: 1, [gamma]), red: red, green: green)
    }

    /// The representation of a curve in a profile.
    enum Curve {
        /// A table with this many samples of sRGB's curve.
        case samples(Int)
        /// A parametric curve, by lcms2's number for its type: 1 a power, 4 and 5 with a linear piece.
        case formula(type: Int32, [Double])

        static let parametricSRGB = formula(type: 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
        static let longParametricSRGB = formula(type: 5, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045, 0, 0])

        fileprivate func make() throws -> OpaquePointer {
            switch self {
            case .formula(let type, let values): try #require(cmsBuildParametricToneCurve(nil, type, values))
            case .samples(let count):
                try #require(cmsBuildTabulatedToneCurve16(nil, UInt32(count), Self.samplesOfSRGB(count)))
            }
        }

        private static func samplesOfSRGB(_ count: Int) -> [UInt16] {
            (0..<count).map { index in
                let stored = Double(index) / Double(count - 1)
                let light = stored <= 0.04045 ? stored / 12.92 : pow((stored + 0.055) / 1.055, 2.4)
                return UInt16((light * 65535).rounded())
            }
        }
    }

    /// Returns a profile with one curve and three primaries under daylight. By default, they are sRGB's.
    static func matrix(
        curve: Curve, version: Double = 4.3, name: String = "a profile",
        red: (x: Double, y: Double) = (0.64, 0.33), green: (x: Double, y: Double) = (0.30, 0.60)
    ) throws -> Data {
        let curve = try curve.make()
        defer { cmsFreeToneCurve(curve) }
        var white = cmsCIExyY(x: 0.3127, y: 0.3290, Y: 1)
        var primaries = cmsCIExyYTRIPLE(
            Red: cmsCIExyY(x: red.x, y: red.y, Y: 1), Green: cmsCIExyY(x: green.x, y: green.y, Y: 1),
            Blue: cmsCIExyY(x: 0.15, y: 0.06, Y: 1))
        let profile = try #require(cmsCreateRGBProfile(&white, &primaries, [curve, curve, curve]))
        cmsSetProfileVersion(profile, version)
        try describe(profile, name)
        return try bytes(profile)
    }

    private static func describe(_ profile: cmsHPROFILE, _ name: String) throws {
        let text = cmsMLUalloc(nil, 1)
        defer { cmsMLUfree(text) }
        try #require(cmsMLUsetASCII(text, "en", "US", name) != 0)
        try #require(cmsWriteTag(profile, cmsSigProfileDescriptionTag, UnsafeRawPointer(text)) != 0)
    }

    static func gray(gamma: Double) throws -> Data {
        try gray(curve: .formula(type: 1, [gamma]))
    }

    static func gray(curve: Curve) throws -> Data {
        let curve = try curve.make()
        defer { cmsFreeToneCurve(curve) }
        var white = cmsCIExyY(x: 0.3457, y: 0.3585, Y: 1)
        return try bytes(#require(cmsCreateGrayProfile(&white, curve)))
    }

    /// Returns the profile of a press with four gray inks, which cannot print color. Black is twice as strong as the
    /// others.
    ///
    /// - Parameter black: The lightness of all inks on one another, from 0 to 1.
    static func grayInks(black: Double = 0) throws -> Data {
        let profile = try #require(cmsCreateProfilePlaceholder(nil))
        cmsSetProfileVersion(profile, 2.1)
        cmsSetDeviceClass(profile, cmsSigOutputClass)
        cmsSetColorSpace(profile, cmsSigCmykData)
        cmsSetPCS(profile, cmsSigLabData)
        let table = try #require(cmsStageAllocCLut16bit(nil, 5, 4, 3, nil))
        var black = black
        let sampled = cmsStageSampleCLut16bit(
            table,
            { input, output, black in
                guard let input, let output, let black else { return 0 }
                let ink = (0..<3).map { Double(input[$0]) }.reduce(2 * Double(input[3]), +) / (5 * 65535)
                output[0] = UInt16((1 - ink * (1 - black.load(as: Double.self))) * 0xFF00)
                output[1] = 0x8000
                output[2] = 0x8000
                return 1
            }, &black, 0)
        try #require(sampled != 0)
        let pipeline = cmsPipelineAlloc(nil, 4, 3)
        defer { cmsPipelineFree(pipeline) }
        try #require(cmsPipelineInsertStage(pipeline, cmsAT_END, table) != 0)
        try #require(cmsWriteTag(profile, cmsSigAToB0Tag, UnsafeRawPointer(pipeline)) != 0)
        return try bytes(profile)
    }

    /// Returns a profile that shows gray as CIE lightness: half of it by the perceptual table, three quarters by the
    /// colorimetric one, all of it by the saturation table.
    static func tables(intent: Int) throws -> Data {
        let profile = try #require(cmsCreateProfilePlaceholder(nil))
        cmsSetProfileVersion(profile, 2.1)
        cmsSetDeviceClass(profile, cmsSigDisplayClass)
        cmsSetColorSpace(profile, cmsSigRgbData)
        cmsSetPCS(profile, cmsSigLabData)
        cmsSetHeaderRenderingIntent(profile, cmsUInt32Number(intent))
        let tables: [(cmsTagSignature, Double)] = [
            (cmsSigAToB0Tag, 0.5), (cmsSigAToB1Tag, 0.75), (cmsSigAToB2Tag, 1),
        ]
        for (tag, share) in tables {
            var share = share
            let table = try #require(cmsStageAllocCLut16bit(nil, 2, 3, 3, nil))
            let sampled = cmsStageSampleCLut16bit(
                table,
                { input, output, share in
                    guard let input, let output, let share else { return 0 }
                    output[0] = UInt16(Double(input[1]) / 0xFFFF * 0xFF00 * share.load(as: Double.self))
                    output[1] = 0x8000
                    output[2] = 0x8000
                    return 1
                }, &share, 0)
            try #require(sampled != 0)
            let pipeline = cmsPipelineAlloc(nil, 3, 3)
            defer { cmsPipelineFree(pipeline) }
            try #require(cmsPipelineInsertStage(pipeline, cmsAT_END, table) != 0)
            try #require(cmsWriteTag(profile, tag, UnsafeRawPointer(pipeline)) != 0)
        }
        return try bytes(profile)
    }

    private static func bytes(_ profile: cmsHPROFILE) throws -> Data {
        defer { cmsCloseProfile(profile) }
        var count: cmsUInt32Number = 0
        try #require(cmsSaveProfileToMem(profile, nil, &count) != 0)
        var bytes = [UInt8](repeating: 0, count: Int(count))
        try #require(cmsSaveProfileToMem(profile, &bytes, &count) != 0)
        return Data(bytes)
    }
}
