public import Foundation

/// The reason why `ImageSource.photoAsset(_:)` got no bytes: the `underlying` error of `sourceFailed`.
public enum PhotoKitServiceError: Error, Hashable, Sendable {
    /// The library has the asset, but not its data, which may be in iCloud.
    case missingData
    /// The library has no asset with this identifier.
    case phAssetNotFound(localIdentifier: String)
}

extension PhotoKitServiceError: LocalizedError, CustomNSError {
    /// "PhotoKitService".
    public static var errorDomain: String { "PhotoKitService" }

    /// 0 for `missingData`, 1 for `phAssetNotFound`.
    public var errorCode: Int { self == .missingData ? 0 : 1 }

    /// A sentence for the user, in English.
    public var errorDescription: String? {
        switch self {
        case .missingData: "The asset could not be loaded."
        case .phAssetNotFound(let id): "A PHAsset with the identifier \(id) was not found."
        }
    }

    /// The reason, in English.
    public var failureReason: String? {
        switch self {
        case .missingData: "The asset data could not be fetched. Maybe you are not connected to the internet."
        case .phAssetNotFound(let id): "An asset with the identifier \(id) doesn't exist anymore."
        }
    }

    /// A remedy, in English, or `nil` if there is no remedy.
    public var recoverySuggestion: String? {
        self == .missingData ? "Check your internet connection or try again later." : nil
    }

    /// The texts, for `NSError`'s own properties.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [:]
        info[NSLocalizedDescriptionKey] = errorDescription
        info[NSLocalizedFailureReasonErrorKey] = failureReason
        info[NSLocalizedRecoverySuggestionErrorKey] = recoverySuggestion
        return info
    }
}
