#if canImport(SwiftUI)
    import Calotype
    import CalotypeCodecs
    import CoreGraphics
    public import SwiftUI

    /// An image scaled to fit the available space, with its aspect ratio.
    public struct FittedImage: View {
        let image: Image

        public var body: some View { image.resizable().aspectRatio(contentMode: .fit) }
    }

    /// A light background that takes any size.
    struct PlainPlaceholder: View {
        var body: some View { Color.secondary.opacity(0.15) }
    }

    /// A light background with a button that loads the image again. There is no button if a retry cannot help.
    struct RetryButton: View {
        @Environment(\.retryRemoteImage) private var retry
        @Environment(\.remoteImageTexts) private var texts
        let error: ImageError

        var body: some View {
            ZStack {
                PlainPlaceholder()
                if error.offersRetry {
                    Button(action: { retry() }) { Image(systemName: "arrow.clockwise") }
                        .accessibilityLabel(texts.retry)
                }
            }
        }
    }

    extension Image {
        /// Creates an image that shares the pixels, without a label for assistive technologies. Returns `nil` if Core
        /// Graphics cannot create the image.
        ///
        /// - Parameter scale: The pixels per point.
        public init?(_ loaded: LoadedImage, scale: CGFloat) {
            guard let image = try? loaded.bitmap.cgImage() else { return nil }
            self.init(decorative: image, scale: scale)
        }
    }
#endif
