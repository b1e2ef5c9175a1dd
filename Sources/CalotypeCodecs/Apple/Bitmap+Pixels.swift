#if canImport(Darwin)
    extension Bitmap {
        /// Core Animation copies images whose rows are not aligned to 64 bytes before showing them.
        static let rowAlignment = 64

        /// Returns the image turned by an EXIF orientation from 2 to 8.
        func turned(_ exif: Int) throws(CodecError) -> Bitmap { try portablyTurned(exif) }
    }
#endif
