package import CalotypeBase
package import CalotypeHTTP
package import CalotypeTransport
import Foundation

/// The sources that a server may load, and how it loads them.
package struct SourceOptions: Sendable {
    /// The path of the folder to which `local:///` refers; empty for sources on the web alone.
    package var root: LocalPath
    /// The permitted sources on the web. Empty by default.
    package var allowed = AllowedSources()
    /// The variables of the environment, which name the places of credentials for buckets. Empty by default. A reload
    /// reads the places again.
    package var environment: [String: String] = [:]
    /// The addresses of the hosts of sources. The default is all.
    package var addresses = AddressRules.all
    /// Header fields, such as credentials, for requests to URLs that begin with a prefix. After a redirect to
    /// another URL, they are not sent.
    package var fields: [(prefix: URLPrefix, fields: HTTPFields)] = []
    /// The value of User-Agent in requests to origins; `nil` (the default) for that of the transport.
    package var userAgent: ByteString?
    /// The maximum number of redirects for a source. The default is 5.
    package var redirectLimit = 5
    /// The lifetime of a source on the web whose origin states no freshness, in seconds. The default is 3,600.
    package var defaultLifetime = 3600.0
    /// The lifetime of the results of local sources, in seconds, in responses to clients. The default, `nil`, is a
    /// minute: the time after which the server itself looks at a file again.
    package var localLifetime: Int?
    /// Whether the origin's response determines the freshness of a source. If `false`, each source is fresh for
    /// ``defaultLifetime``. The default is `true`.
    package var obeysFreshness = true
    /// The maximum size of a source, in bytes. The default is 50 MB. A source may have at most a quarter of the share
    /// for undecoded images.
    package var maxBytes = 50_000_000
    /// The time limit for loading a source of the web, redirects and retries included. The default is 10 s.
    package var deadline = Duration.seconds(10)
    /// The maximum number of silent origins' downloads that do not count as such, of which one host may have half. The
    /// default is 512, or less if the process may open fewer than 1,500 files.
    package var silentLimit = Self.standardSilentLimit(descriptors: DescriptorBudget.current.limit)

    /// Returns the default of ``silentLimit``: at 1,024 descriptors, one silent host has 168 downloads.
    package static func standardSilentLimit(descriptors: Int) -> Int { min(512, max((descriptors - 128) * 3 / 8, 4)) }

    /// Opens the folder of local sources.
    func openRoot() throws(ServerError) -> SourceRoot {
        do throws(SystemError) { return try SourceRoot(root) } catch {
            throw ServerError(start: "the root \(root) cannot be opened: \(error)")
        }
    }
}
