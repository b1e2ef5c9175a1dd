#if HEIF
    import CHEIF

    extension HEIFReferences {
        /// Whether libheif refuses a file in which an auxiliary image, a thumbnail or metadata belongs to several items.
        ///
        /// Phones write such files since 2024: a photograph and its HDR variant share the gain map and EXIF.
        private static let areRefusedIfShared = heif_get_version_number() < 0x0112_0000

        /// Returns the places in the file of the types of references that must go for libheif to read it. Those of alpha stay, so
        /// that no image loses its transparency.
        func refusedTypes(in file: UnsafeRawBufferPointer) -> [Int] {
            guard Self.areRefusedIfShared, !shared.isEmpty, let start = file.baseAddress else { return [] }
            let items = HEIFItems(ByteReader(file))
            return shared.compactMap { reference in
                let isOfAlpha = ByteReader(reference.type).has("auxl", at: 0) && items?.isOpaque(reference.item) != true
                return isOfAlpha ? nil : reference.type.baseAddress.map { $0 - start }
            }
        }

        /// Copies a file into memory of its size, and gives the references at these places a type that libheif does not know.
        static func copy(
            _ file: UnsafeRawBufferPointer, to memory: UnsafeMutableRawPointer, without types: [Int]
        ) -> UnsafeRawBufferPointer {
            let copy = UnsafeMutableRawBufferPointer(start: memory, count: file.count)
            copy.copyMemory(from: file)
            for place in types {
                for (offset, byte) in "free".utf8.enumerated() { copy[place + offset] = byte }
            }
            return UnsafeRawBufferPointer(copy)
        }
    }

    extension HEIFItems {
        /// Whether an auxiliary image has a type, which is not that of alpha.
        fileprivate func isOpaque(_ item: Int) -> Bool {
            let types = (properties(of: item) ?? []).filter { $0.isOf("auxC") }
            let alpha: [StaticString] = [
                "urn:mpeg:hevc:2015:auxid:1\0", "urn:mpeg:avc:2015:auxid:1\0",
                "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0",
            ]
            // Behind the version and flags.
            return !types.isEmpty
                && types.allSatisfy { type in !alpha.contains { type.box.content.has($0, at: 4) } }
        }
    }
#endif
