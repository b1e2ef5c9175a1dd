#if canImport(SwiftUI)
    import CalotypeCodecs
    import CoreGraphics
    public import SwiftUI

    /// A picture as large as fits, its ratio kept.
    public struct FittedImage: View {
        let image: Image

        init(_ image: Image) {
            self.image = image
        }

        public var body: some View { image.resizable().aspectRatio(contentMode: .fit) }
    }

    /// A light ground without a size of its own.
    public struct PlainPlaceholder: View {
        init() {}

        public var body: some View { Color.secondary.opacity(0.15) }
    }

    /// Tries again, on the same ground.
    public struct RetryButton: View {
        @Environment(\.retryRemoteImage) private var retry

        init() {}

        public var body: some View {
            ZStack {
                PlainPlaceholder()
                Button(action: { retry() }) { Image(systemName: "arrow.clockwise") }
                    .accessibilityLabel("Load the image again")
            }
        }
    }

    extension Image {
        /// Without a copy of the pixels; a decoration unless the caller gives it a label. Nil where Core Graphics makes no
        /// image of it.
        ///
        /// - Parameter scale: pixels for each point.
        public init?(_ loaded: LoadedImage, scale: CGFloat) {
            guard let image = try? loaded.bitmap.cgImage() else { return nil }
            self.init(decorative: image, scale: scale)
        }
    }
#endif
