import Calotype
import CalotypeBase

/// What is wrong with an image that a client has sent itself: the status for it (RFC 9110 §15.5), and what the decoder says, which
/// names nothing but the image.
struct ImageFinding: Hashable, Sendable {
    let status: Int
    let message: String

    init?(_ error: ImageError) {
        switch error.code {
        case .notAnImage: (status, message) = (415, "the body is no image: \(error.message)")
        case .unsupportedImage: (status, message) = (415, "the body is no image that is read here: \(error.message)")
        case .damagedImage, .truncated: (status, message) = (422, "the image is damaged: \(error.message)")
        case .imageTooLarge, .memoryExceeded:
            (status, message) = (413, "the image has too many pixels, or takes too much memory")
        case .bodyTooLarge: (status, message) = (413, "the image has too many bytes")
        case .dataIsEmpty: (status, message) = (400, "the image is empty")
        default: return nil
        }
    }
}

extension ServerError {
    /// The error as one about the client's own image.
    var ofPost: ServerError {
        guard let finding else { return self }
        return ServerError(finding.status, finding.message, reason: reason)
    }
}
