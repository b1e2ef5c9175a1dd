#if canImport(SwiftUI)
    import Calotype
    public import SwiftUI

    /// The look of the remote images of a subtree.
    ///
    /// ```swift
    /// struct CardStyle: RemoteImageStyle {
    ///     func makeBody(configuration: Configuration) -> some View {
    ///         ZStack {
    ///             Color.secondary.opacity(0.1)
    ///             configuration.phase.image?.resizable().scaledToFill()
    ///         }
    ///         .clipShape(.rect(cornerRadius: 12))
    ///     }
    /// }
    ///
    /// Gallery().remoteImageStyle(CardStyle())
    /// ```
    @MainActor @preconcurrency
    public protocol RemoteImageStyle {
        /// The view of a remote image.
        associatedtype Body: View

        /// Creates the view of one state.
        @ViewBuilder func makeBody(configuration: Configuration) -> Body

        /// The input of a style.
        typealias Configuration = RemoteImageStyleConfiguration
    }

    /// The input of a style: the state of one remote image.
    public struct RemoteImageStyleConfiguration {
        /// The image, the error, or neither.
        public let phase: RemoteImagePhase
        /// The whole state, with the progress of the download and the origin of the image.
        public let state: RemoteImageState
        /// Loads the image again after an error.
        public let retry: RetryRemoteImage
    }

    /// The default style. Fits the image into the available space. Shows a light background until the image arrives,
    /// and a retry button after a failure that a retry may fix.
    public struct AutomaticRemoteImageStyle: RemoteImageStyle {
        /// Creates the style.
        nonisolated public init() {}

        public func makeBody(configuration: Configuration) -> some View {
            switch configuration.phase {
            case .empty: PlainPlaceholder()
            case .success(let image): FittedImage(image: image)
            case .failure(let error): RetryButton(error: error)
            }
        }
    }

    extension RemoteImageStyle where Self == AutomaticRemoteImageStyle {
        /// Fits the image into the available space.
        nonisolated public static var automatic: AutomaticRemoteImageStyle { AutomaticRemoteImageStyle() }
    }

    extension View {
        /// Sets the look of the remote images in this view, except for those that closures draw.
        public func remoteImageStyle(_ style: some RemoteImageStyle) -> some View {
            environment(\.remoteImageStyle, style)
        }
    }

    /// A view drawn by the style of the environment, with the placeholder and failure views set by modifiers.
    public struct StyledRemoteImage: View {
        @Environment(\.displayScale) private var displayScale
        @Environment(\.remoteImageStyle) private var style
        @Environment(\.retryRemoteImage) private var retry
        @Environment(\.remoteImageTransition) private var transition
        let state: RemoteImageState
        var placeholder: (() -> AnyView)?
        var failure: ((ImageError) -> AnyView)?

        public var body: some View {
            let phase = RemoteImagePhase(state, scale: displayScale)
            switch phase {
            case .empty: placeholder?() ?? styled(phase)
            case .failure(let error): failure?(error) ?? styled(phase)
            case .success: styled(phase).transition(transition ?? .opacity)
            }
        }

        private func styled(_ phase: RemoteImagePhase) -> AnyView {
            AnyView(body(of: style, phase))
        }

        private func body(of style: some RemoteImageStyle, _ phase: RemoteImagePhase) -> any View {
            style.makeBody(configuration: RemoteImageStyleConfiguration(phase: phase, state: state, retry: retry))
        }
    }
#endif
