extension Bitmap {
    /// The alignment of rows in bytes: one pixel, so that rows are contiguous. libyuv, GTK and Cairo need no more.
    static let rowAlignment = 4
}
