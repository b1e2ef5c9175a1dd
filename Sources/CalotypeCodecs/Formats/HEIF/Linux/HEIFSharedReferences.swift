#if HEIF
    import CHEIF

    extension HEIFReferences {
        /// Whether libheif refuses a file in which an auxiliary image, a thumbnail or metadata belongs to several items.
        ///
        /// Phones write such files since 2024: a photograph and its HDR variant share the gain map and EXIF.
        private static let areRefusedIfShared = heif_get_version_number() < 0x0112_0000

        /// Returns the types of references that must go for libheif to read the file. Those of alpha stay, so that no image loses
        /// its transparency.
        func refusedTypes(in file: UnsafeRawBufferPointer) -> [ByteReader] {
            let shared = all.filter { $0.targets.count > 1 && $0.isAttachment }
            guard Self.areRefusedIfShared, !shared.isEmpty else { return [] }
            let items = HEIFItems(ByteReader(file))
            return shared.filter { !$0.type.has("auxl", at: 0) || items?.isOpaque($0.item) == true }.map(\.type)
        }
    }

    extension HEIFItems {
        /// Whether an auxiliary image has a type, which is not that of alpha.
        fileprivate func isOpaque(_ item: Int) -> Bool {
            let kinds = auxiliaryKinds(of: item)
            return !kinds.isEmpty && !kinds.contains(where: \.isAlpha)
        }
    }
#endif
