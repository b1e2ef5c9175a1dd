import CLcms2
import Foundation

/// lcms2's ICC profile of sRGB: 588 bytes, the same in every process.
enum SRGBProfile {
    /// The bytes, or empty if memory is exhausted: decoders interpret files without a profile as sRGB as well.
    static let bytes: Data = {
        guard let profile = cmsCreate_sRGBProfile() else { return Data() }
        defer { cmsCloseProfile(profile) }
        var count: cmsUInt32Number = 0
        guard cmsSaveProfileToMem(profile, nil, &count) != 0 else { return Data() }
        var bytes = Data(count: Int(count))
        let isSaved = bytes.withUnsafeMutableBytes { cmsSaveProfileToMem(profile, $0.baseAddress, &count) != 0 }
        guard isSaved, bytes.count > 128 else { return Data() }
        // Set the creation date to 2000-01-01, so that the profile is always the same.
        bytes.replaceSubrange(24..<36, with: [0x07, 0xD0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0])
        return bytes
    }()
}
