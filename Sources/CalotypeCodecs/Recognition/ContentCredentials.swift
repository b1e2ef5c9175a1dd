package import Foundation

/// Content credentials (C2PA): signed claims about the origin and the edits of an image, which hold for the bytes of its file
/// alone. Results never have them: encoders write no metadata but EXIF.
package enum ContentCredentials {
    /// Returns whether a file has a manifest store in the place that its format prescribes (C2PA, "Embedding manifests into
    /// assets"): JPEG, PNG, WebP, HEIC, AVIF, JPEG XL in boxes, and TIFF. Checks no signature.
    package static func arePresent(in data: Data) -> Bool {
        data.reading { bytes in
            let file = ByteReader(bytes)
            if let segments = JPEGSegments(file) { return segments.hasCredentials }
            if file.uint32(at: 0) == 0x8950_4E47 {
                return PNGChunks(file).contains {
                    $0.name == PNGChunks.Chunk.credentials && $0.bytes.isManifestStore(at: 0)
                }
            }
            if file.has("RIFF", at: 0), file.has("WEBP", at: 8) { return file.hasCredentialsOfWebP }
            if file.isJPEGXL { return file.boxes("jumb", from: 0).contains { $0.beginsManifestStore(at: 0) } }
            if file.has("ftyp", at: 4) { return file.boxes("uuid", from: 0).contains(where: \.isManifestBox) }
            guard file.isTIFF, let directory = EXIFDirectory(file) else { return false }
            return directory.values.contains { $0.tag == tagOfTIFF }
        }
    }

    private static let tagOfTIFF = 0xCD41
}

extension ByteReader {
    /// Returns whether a superbox of JUMBF (ISO/IEC 19566-5) begins at the offset, and describes itself as a manifest store.
    func isManifestStore(at offset: Int) -> Bool {
        guard let size = uint32(at: offset), has("jumb", at: offset + 4) else { return false }
        return beginsManifestStore(at: offset + (size == 1 ? 16 : 8))
    }

    /// Returns whether the description box at the offset, which is the first content of a superbox, has C2PA's type.
    fileprivate func beginsManifestStore(at offset: Int) -> Bool {
        has("jumd", at: offset + 4) && has("c2pa", at: offset + 8) && uint32(at: offset + 12) == 0x0011_0010
            && uint32(at: offset + 16) == 0x8000_00AA && uint32(at: offset + 20) == 0x0038_9B71
    }

    /// Whether the content of a `uuid` box begins with C2PA's type, D8FEC3D6-1B0E-483C-9297-5828877EC481.
    fileprivate var isManifestBox: Bool {
        uint32(at: 0) == 0xD8FE_C3D6 && uint32(at: 4) == 0x1B0E_483C && uint32(at: 8) == 0x9297_5828
            && uint32(at: 12) == 0x877E_C481
    }

    fileprivate var hasCredentialsOfWebP: Bool {
        var offset = 12
        while let length = uint32(at: offset + 4, bigEndian: false), length <= count - offset - 8 {
            if has("C2PA", at: offset) { return isManifestStore(at: offset + 8) }
            // Chunks begin at even offsets.
            offset += 8 + length + length % 2
        }
        return false
    }
}
