#if canImport(Darwin)
    extension Bitmap {
        /// Averages each two by two pixels. Both sides are even.
        func halved() throws(CodecError) -> Bitmap { try portablyHalved() }

        /// By an EXIF orientation of 2 to 8.
        func turned(_ exif: Int) throws(CodecError) -> Bitmap { try portablyTurned(exif) }
    }
#endif
