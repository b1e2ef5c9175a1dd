import CalotypeCodecs
public import Foundation

/// An oddity of a JPEG for which libjpeg has a warning, although each pixel of the file is there.
public enum JPEGOddity: String, CaseIterable, Sendable {
    case strayBytes, newerJFIF, unknownAdobeColors, unusualScanHeader

    public func added(to file: Data) throws -> Data {
        switch self {
        // In front of the first table, behind which each fault of `JPEGFault` lies.
        case .strayBytes: try file.inserting([0, 0], before: [0xFF, 0xDB])
        case .newerJFIF: try file.replacing(Array("JFIF\0\u{1}".utf8), with: Array("JFIF\0\u{3}".utf8))
        // Without a JFIF segment, libjpeg assumes YCbCr, with a warning.
        case .unknownAdobeColors:
            try file.replacing(Array("JFIF".utf8), with: Array("ZZZZ".utf8)).addingAdobeMarker(transform: 9)
        case .unusualScanHeader: try file.changingScanHeader(lastCoefficient: 7)
        }
    }
}

/// A fault of a JPEG for which libjpeg has an error.
public enum JPEGFault: String, CaseIterable, Sendable {
    case unknownComponent, quantizationIndex, noQuantizationTable, huffmanIndex, tooManyCodes, noHuffmanTable
    case segmentLength, secondFrame, secondStart, sampling, unknownMarker, noScan, secondScan, progression

    /// Returns a small file with this fault.
    public func file() throws -> Data {
        let bitmap = try Decoding.bitmaps()[2]
        let file = try bitmap.encoded(as: .jpeg(quality: 95, isProgressive: self == .progression))
        let (frame, scan): ([UInt8], [UInt8]) = ([0xFF, 0xC0, 0, 17], [0xFF, 0xDA, 0, 12])
        switch self {
        case .unknownComponent: return try file.replacing(scan + [3, 1], with: scan + [3, 9])
        case .quantizationIndex:
            return try file.inserting([0xFF, 0xDB, 0, 67, 5] + [UInt8](repeating: 1, count: 64), before: scan)
        case .noQuantizationTable: return try file.replacing([3, 1, 0x11, 0], with: [3, 1, 0x11, 3])
        case .huffmanIndex:
            return try file.inserting([0xFF, 0xC4, 0, 19, 7] + [UInt8](repeating: 0, count: 16), before: scan)
        case .tooManyCodes:
            return try file.inserting([0xFF, 0xC4, 0, 19, 0] + [UInt8](repeating: 255, count: 16), before: scan)
        case .noHuffmanTable: return try file.replacing(scan + [3, 1, 0], with: scan + [3, 1, 0x33])
        case .segmentLength: return try file.inserting([0xFF, 0xDD, 0, 5, 0, 1, 2], before: scan)
        case .secondFrame: return try file.inserting(Array(file.from(frame).prefix(19)), before: scan)
        case .secondStart: return try file.inserting([0xFF, 0xD8], before: scan)
        case .sampling: return try file.replacing([3, 1, 0x11, 0], with: [3, 1, 0x51, 0])
        case .unknownMarker: return try file.inserting([0xFF, 0x02, 0, 2], before: scan)
        case .noScan: return file[..<(try file.from(scan).startIndex)] + [0xFF, 0xD9]
        case .secondScan: return file.dropLast(2) + (try file.from(scan).prefix(14)) + [0, 0, 0xFF, 0xD9]
        case .progression: return try file.changingScanHeader(lastCoefficient: 99)
        }
    }

    /// The oddities that a file with this fault may have as well.
    public var oddities: [JPEGOddity] {
        let hasOwnScanHeader = self == .noScan || self == .progression
        return JPEGOddity.allCases.filter { $0 != .unusualScanHeader || !hasOwnScanHeader }
    }

    /// Files with each fault, alone and with each oddity.
    static var files: [Data] {
        get throws {
            try allCases.flatMap { fault in
                let file = try fault.file()
                return try [file] + fault.oddities.map { try $0.added(to: file) }
            }
        }
    }
}

extension Data {
    private struct NotFound: Error {
        let bytes: [UInt8]
    }

    /// Returns the bytes from the first place of `beginning` on.
    fileprivate func from(_ beginning: [UInt8]) throws -> Data {
        guard let place = range(of: Data(beginning)) else { throw NotFound(bytes: beginning) }
        return self[place.lowerBound...]
    }

    fileprivate func replacing(_ old: [UInt8], with new: [UInt8]) throws -> Data {
        let rest = try from(old)
        return self[..<rest.startIndex] + new + rest.dropFirst(old.count)
    }

    fileprivate func inserting(_ bytes: [UInt8], before marker: [UInt8]) throws -> Data {
        try replacing(marker, with: bytes + marker)
    }

    fileprivate func addingAdobeMarker(transform: UInt8) -> Data {
        prefix(2) + [0xFF, 0xEE, 0, 14] + Data("Adobe".utf8) + [0, 100, 0, 0, 0, 0, transform] + dropFirst(2)
    }

    /// Returns this JPEG with another end of the first scan's range of coefficients.
    fileprivate func changingScanHeader(lastCoefficient: UInt8) throws -> Data {
        var copy = Data(self)
        let scan = try copy.from([0xFF, 0xDA]).startIndex
        copy[scan + Int(copy[scan + 3])] = lastCoefficient
        return copy
    }
}
