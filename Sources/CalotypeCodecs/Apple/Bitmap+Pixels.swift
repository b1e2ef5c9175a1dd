#if canImport(Darwin)
    extension Bitmap {
        /// The alignment of rows in bytes. Core Animation copies images with a smaller alignment before it shows them.
        static let rowAlignment = 64

        /// Returns the upright image, given its EXIF orientation from 2 to 8.
        func turned(_ exif: Int) throws(CodecError) -> Bitmap { try portablyTurned(exif) }
    }
#endif
