extension Bitmap {
    /// Rows lie one behind the other: libyuv, GTK and Cairo take them as they come.
    static let rowAlignment = 4
}
