#if canImport(Darwin)
    extension Bitmap {
        /// Core Animation copies an image whose rows begin elsewhere before it shows it.
        static let rowAlignment = 64

        /// By an EXIF orientation of 2 to 8.
        func turned(_ exif: Int) throws(CodecError) -> Bitmap { try portablyTurned(exif) }
    }
#endif
