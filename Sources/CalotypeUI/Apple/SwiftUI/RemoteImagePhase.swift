#if canImport(SwiftUI)
    public import Calotype
    public import SwiftUI

    /// The state of a remote image, modeled on SwiftUI's `AsyncImagePhase`.
    public enum RemoteImagePhase: Sendable {
        /// Neither the image nor a preview has arrived yet.
        case empty
        /// The requested image, or a preview of it until it arrives.
        case success(Image)
        /// The load has failed.
        case failure(ImageError)

        /// The image, or `nil` in the other phases.
        public var image: Image? {
            if case .success(let image) = self { image } else { nil }
        }

        /// The error, or `nil` in the other phases.
        public var error: ImageError? {
            if case .failure(let error) = self { error } else { nil }
        }

        init(_ state: RemoteImageState, scale: CGFloat) {
            if let error = state.error {
                self = .failure(error)
            } else if let image = state.visibleImage.flatMap({ Image($0, scale: scale) }) {
                self = .success(image)
            } else {
                self = .empty
            }
        }
    }

    /// A view that the application draws for each phase.
    public struct RemoteImagePhases<Content: View>: View {
        @Environment(\.displayScale) private var displayScale
        let state: RemoteImageState
        let content: (RemoteImagePhase) -> Content

        public var body: some View { content(RemoteImagePhase(state, scale: displayScale)) }
    }
#endif
