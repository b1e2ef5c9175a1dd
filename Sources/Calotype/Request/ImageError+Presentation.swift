public import Foundation

extension ImageError: LocalizedError {
    /// A plain sentence for the user, in English, without URLs and without a library's raw text.
    public var errorDescription: String? {
        switch code {
        case .badStatus: ImageError.sentence(forStatus: status)
        case .timedOut where isOfFile: "The file took too long to read."
        case .truncated where isOfFile: "The file is incomplete."
        case .dataIsEmpty where isOfFile: "The file is empty."
        case .notAnImage where isOfFile: "The file is not an image."
        case .timedOut: "The server took too long to respond."
        case .overloaded: "Too many images are loading. Try again in a moment."
        case .invalidURL: "The address of this image is not valid."
        case .unsupportedScheme: "This kind of address is not supported."
        case .connectionFailed: "The connection to the server failed."
        case .networkConstrained: "The image is not loaded, to save data on this network."
        case .tlsFailed: "No secure connection to the server was possible."
        case .insecureConnectionRefused: "This image is not loaded, because its address is not secure."
        case .redirectFailed: "The server redirects to an address that cannot be loaded."
        case .malformedResponse: "The server sent a response that cannot be read."
        case .truncated: "The image arrived incomplete."
        case .bodyTooLarge, .imageTooLarge: "The image is too large to be shown."
        case .dataIsEmpty: "The server sent an empty file."
        case .fileUnreadable: "The file cannot be read."
        case .fileUnwritable: "The image could not be saved."
        case .notInCache: "The image is not available offline."
        case .notAnImage: "The server sent something that is not an image."
        case .damagedImage: "The image is damaged."
        case .unsupportedImage: "This kind of image is not supported."
        case .stepFailed, .encodingFailed: "The image could not be processed."
        default: "The image could not be loaded."
        }
    }

    private var isOfFile: Bool { url?.isFileURL == true }

    private static func sentence(forStatus status: Int?) -> String {
        switch status {
        case 401, 403, 407: "This image is not accessible without permission."
        case 404, 410: "There is no image at this address."
        case 429: "The server is receiving too many requests. Try again later."
        case let status? where status >= 500: "The server has a problem. Try again later."
        default: "The server did not send the image."
        }
    }
}

extension ImageError {
    /// Whether the same request is likely to fail again, because its source answers without a usable image, or because no
    /// source is asked.
    ///
    /// `true` for `badStatus` with 400–499 (except 408, 425 and 429), `notAnImage`, `damagedImage`, `unsupportedImage`,
    /// `imageTooLarge`, `bodyTooLarge`, `dataIsEmpty`, `invalidURL`, `unsupportedScheme`, `insecureConnectionRefused`,
    /// `stepFailed` and `invalidated`. ``ImageRequest/failureMemory`` remembers these failures, but for the last two, which
    /// other requests for the source need not meet.
    public var isPermanent: Bool {
        switch code {
        case .badStatus: (400..<500).contains(status ?? 0) && ![408, 425, 429].contains(status)
        case .dataIsEmpty, .bodyTooLarge, .invalidURL, .unsupportedScheme, .insecureConnectionRefused, .stepFailed,
            .invalidated:
            true
        default: isOfDecoding
        }
    }

    /// Whether the decoder refused the bytes.
    var isOfDecoding: Bool { [.notAnImage, .damagedImage, .unsupportedImage, .imageTooLarge].contains(code) }

    /// Whether views offer to load the image again: a person may have changed what made the request fail.
    ///
    /// `false` for `invalidURL`, `unsupportedScheme`, `unsupportedImage`, `imageTooLarge`, `bodyTooLarge`, `stepFailed`,
    /// `insecureConnectionRefused` and `invalidated`, for `badStatus` with 410 (Gone), and for a file that is empty,
    /// incomplete, damaged or no image. `true` for `notAnImage` and a 404 of a server, although they are permanent: an
    /// HTML page in place of an image is often a login page.
    public var offersRetry: Bool {
        switch code {
        case .invalidURL, .unsupportedScheme, .unsupportedImage, .imageTooLarge, .bodyTooLarge, .stepFailed,
            .invalidated, .insecureConnectionRefused:
            false
        case .badStatus: status != 410
        case .dataIsEmpty, .truncated, .damagedImage, .notAnImage: !isOfFile
        default: true
        }
    }
}
