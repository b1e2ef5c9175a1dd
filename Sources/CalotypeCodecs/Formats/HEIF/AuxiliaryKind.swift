/// What an auxiliary image is of its main image, by its property (ISO/IEC 23008-12, 6.5.8).
struct AuxiliaryKind {
    let content: ByteReader

    var isAlpha: Bool {
        isOne(of: [
            "urn:mpeg:hevc:2015:auxid:1\0", "urn:mpeg:avc:2015:auxid:1\0",
            "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0",
        ])
    }

    var isDepth: Bool {
        isOne(of: [
            "urn:mpeg:hevc:2015:auxid:2\0", "urn:mpeg:avc:2015:auxid:2\0",
            "urn:mpeg:mpegB:cicp:systems:auxiliary:depth\0",
        ])
    }

    var isAppleGainMap: Bool { isOne(of: ["urn:com:apple:photo:2020:aux:hdrgainmap\0"]) }

    // The name is behind the version and flags.
    private func isOne(of names: [StaticString]) -> Bool { names.contains { content.has($0, at: 4) } }
}
