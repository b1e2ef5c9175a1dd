// Foundation as on Apple's platforms: with URLSession and everything else that Linux has in FoundationNetworking.
@_exported public import Foundation
@_exported public import FoundationNetworking

extension URLRequest {
    public var allowsConstrainedNetworkAccess: Bool {
        get { true }
        set {}
    }
}

extension URLError {
    public enum NetworkUnavailableReason: Int, Sendable {
        case cellular, expensive, constrained
    }

    public var networkUnavailableReason: URLError.NetworkUnavailableReason? { nil }
}

extension ProcessInfo {
    /// Not available on macOS.
    public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {}
}
