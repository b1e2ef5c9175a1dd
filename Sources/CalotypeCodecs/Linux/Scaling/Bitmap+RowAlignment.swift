extension Bitmap {
    /// Rows are contiguous: libyuv, GTK and Cairo support any alignment.
    static let rowAlignment = 4
}
