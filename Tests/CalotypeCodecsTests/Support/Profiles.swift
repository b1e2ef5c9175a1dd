import CLcms2
import Foundation
import Testing

/// ICC profiles made by lcms2.
enum Profiles {
    static func sRGB() throws -> Data {
        try bytes(#require(cmsCreate_sRGBProfile()))
    }

    /// sRGB's primaries with another curve.
    static func rgb(gamma: Double) throws -> Data {
        try rgb(gamma: gamma, red: (0.64, 0.33), green: (0.30, 0.60))
    }

    /// What is red in the file is to be shown green, and the other way round.
    static func swapped() throws -> Data {
        try rgb(gamma: 2.2, red: (0.30, 0.60), green: (0.64, 0.33))
    }

    private static func rgb(
        gamma: Double, red: (x: Double, y: Double), green: (x: Double, y: Double)
    ) throws -> Data {
        let curve = cmsBuildGamma(nil, gamma)
        defer { cmsFreeToneCurve(curve) }
        var white = cmsCIExyY(x: 0.3127, y: 0.3290, Y: 1)
        var primaries = cmsCIExyYTRIPLE(
            Red: cmsCIExyY(x: red.x, y: red.y, Y: 1), Green: cmsCIExyY(x: green.x, y: green.y, Y: 1),
            Blue: cmsCIExyY(x: 0.15, y: 0.06, Y: 1))
        return try bytes(#require(cmsCreateRGBProfile(&white, &primaries, [curve, curve, curve])))
    }

    static func gray(gamma: Double) throws -> Data {
        let curve = cmsBuildGamma(nil, gamma)
        defer { cmsFreeToneCurve(curve) }
        var white = cmsCIExyY(x: 0.3457, y: 0.3585, Y: 1)
        return try bytes(#require(cmsCreateGrayProfile(&white, curve)))
    }

    /// A press with four grey inks: nothing printed with it has a colour. Black is twice as strong as the others.
    static func grayInks() throws -> Data {
        let profile = try #require(cmsCreateProfilePlaceholder(nil))
        cmsSetProfileVersion(profile, 2.1)
        cmsSetDeviceClass(profile, cmsSigOutputClass)
        cmsSetColorSpace(profile, cmsSigCmykData)
        cmsSetPCS(profile, cmsSigLabData)
        let table = try #require(cmsStageAllocCLut16bit(nil, 5, 4, 3, nil))
        let sampled = cmsStageSampleCLut16bit(
            table,
            { input, output, _ in
                guard let input, let output else { return 0 }
                let ink = (0..<3).map { Double(input[$0]) }.reduce(2 * Double(input[3]), +) / (5 * 65535)
                output[0] = UInt16((1 - ink) * 0xFF00)
                output[1] = 0x8000
                output[2] = 0x8000
                return 1
            }, nil, 0)
        try #require(sampled != 0)
        let pipeline = cmsPipelineAlloc(nil, 4, 3)
        defer { cmsPipelineFree(pipeline) }
        try #require(cmsPipelineInsertStage(pipeline, cmsAT_END, table) != 0)
        try #require(cmsWriteTag(profile, cmsSigAToB0Tag, UnsafeRawPointer(pipeline)) != 0)
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
