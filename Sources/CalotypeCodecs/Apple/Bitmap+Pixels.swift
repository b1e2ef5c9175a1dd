#if canImport(Darwin)
    extension Bitmap {
        /// By an EXIF orientation of 2 to 8.
        func turned(_ exif: Int) throws(CodecError) -> Bitmap { try portablyTurned(exif) }
    }
#endif
