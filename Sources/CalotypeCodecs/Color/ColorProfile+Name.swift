extension ColorProfile {
    /// The name of the high dynamic range that the profile states, otherwise its description, or `nil` if it has none. For display only:
    /// names are unreliable.
    var name: String? { highRange?.name ?? description }

    private var description: String? {
        bytes.withUnsafeBytes { pointer in
            let profile = ByteReader(pointer)
            guard let count = profile.uint32(at: 128) else { return nil }
            for index in 0..<min(count, 100) {
                let tag = 132 + 12 * index
                guard profile.has("desc", at: tag), let start = profile.uint32(at: tag + 4) else { continue }
                return Self.text(profile, at: start)
            }
            return nil
        }
    }

    /// Reads a description (ICC.1). Version 2 stores a count and ASCII; version 4 stores a list of translations in
    /// UTF-16, the first of which is returned.
    private static func text(_ profile: ByteReader, at start: Int) -> String? {
        if profile.has("desc", at: start), let count = profile.uint32(at: start + 8), count > 1, count < 256 {
            return String(decoding: profile.slice(start + 12..<start + 11 + count).copy(), as: UTF8.self)
        }
        if profile.has("mluc", at: start), let bytes = profile.uint32(at: start + 20),
            let offset = profile.uint32(at: start + 24), bytes < 512
        {
            let units = (0..<bytes / 2).compactMap { profile.uint16(at: start + offset + 2 * $0).map { UInt16($0) } }
            // Some cameras end the text as C does.
            return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
        }
        return nil
    }
}

extension CodedColors {
    /// Returns the name for code points of ITU-T H.273, such as "Display P3" or "BT.2020 PQ", or `nil` for others.
    static func name(primaries: Int, transfer: Int) -> String? {
        let curve = [8: " linear", 16: " PQ", 18: " HLG"][transfer] ?? ""
        switch primaries {
        case 1: return transfer == 13 || transfer == 1 ? "sRGB" : curve.isEmpty ? nil : "BT.709" + curve
        case 9: return "BT.2020" + curve
        case 11: return "DCI P3" + curve
        case 12: return "Display P3" + curve
        default: return nil
        }
    }
}
