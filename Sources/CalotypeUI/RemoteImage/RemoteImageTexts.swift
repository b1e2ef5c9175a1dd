public import Calotype
import Foundation

/// The texts of views. Replace them to translate or rephrase them.
///
/// ```swift
/// options.texts.retry = "Erneut versuchen"
/// options.texts.message = { error in error.code == .notInCache ? "You are offline." : error.localizedDescription }
/// ```
public struct RemoteImageTexts: Sendable {
    /// The button that loads the image again. The default is "Retry".
    public var retry = "Retry"
    /// The text that assistive technologies read while an image loads. The default is "Loading".
    public var loading = "Loading"
    /// The line below the last row of a grid while the next page is on its way. The default is "Loading more…".
    public var loadingMore = "Loading more…"
    /// The sentence that explains a failure. The default is the error's `localizedDescription`.
    public var message: @Sendable (ImageError) -> String = { $0.localizedDescription }

    /// Creates the texts in English.
    public init() {}
}
