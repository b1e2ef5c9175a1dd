package import CalotypeBase
import CalotypeHTTP
package import Foundation

/// A cache in front of the server, which removes its copies of results when the server takes a purge.
package struct FrontCache: Sendable {
    package enum Kind: Sendable {
        /// Cloudflare's API, for the zone with this identifier.
        case cloudflare(zone: ByteString)
        /// Fastly's API, for the service with this identifier.
        case fastly(service: ByteString)
        /// Varnish, whose configuration obeys the method BAN at this URL.
        case varnish(URL)
    }

    let kind: Kind
    /// The secret of the calls; `nil` for a cache that needs none.
    let token: AdminToken?
    /// The beginning of the API's URLs, in place of the provider's own.
    let base: String

    /// - Parameter base: The beginning of the API's URLs. The default is that of the provider.
    package init(_ kind: Kind, token: AdminToken?, base: String? = nil) {
        (self.kind, self.token) = (kind, token)
        let own =
            switch kind {
            case .cloudflare: "https://api.cloudflare.com/client/v4"
            case .fastly: "https://api.fastly.com"
            case .varnish(let url): url.absoluteString
            }
        self.base = base ?? own
    }

    /// Reads "cloudflare:ZONE", "fastly:SERVICE" or "varnish:URL". Returns `nil` for another text.
    package static func kind(_ text: ByteString) -> Kind? {
        let parts = text.split(separator: UInt8(ascii: ":"), maxSplits: 1)
        guard parts.count == 2, let name = parts.last, !name.isEmpty else { return nil }
        let isName = name.count <= 64 && name.withBytes { $0.allSatisfy(\.isAlphanumeric) }
        switch parts[0] {
        case "cloudflare" where isName: return .cloudflare(zone: name)
        case "fastly" where isName: return .fastly(service: name)
        case "varnish":
            guard let url = URL(text: name), (try? HTTPOrigin(url)) != nil, url.user == nil,
                url.query == nil, url.fragment == nil
            else { return nil }
            return .varnish(url)
        default: return nil
        }
    }

    /// Whether the calls need a token.
    package static func needsToken(_ kind: Kind) -> Bool { if case .varnish = kind { false } else { true } }

    var name: String {
        switch kind {
        case .cloudflare: "cloudflare"
        case .fastly: "fastly"
        case .varnish: "varnish"
        }
    }

    // MARK: Calls

    /// Returns the call for a purge: by the tag of a source, and for a prefix or all sources, of everything.
    func request(for purge: Purge) -> HTTPRequest? {
        guard let url = url(for: purge.target.tag) else { return nil }
        var request = HTTPRequest(url, method: .post, fields: ["Accept": "application/json"])
        request.timeouts = HTTPRequest.Timeouts(connect: .seconds(5), idle: .seconds(10), total: .seconds(10))
        switch kind {
        case .cloudflare:
            request.fields["Authorization"] = token?.proof
            request.fields["Content-Type"] = "application/json"
            let body = purge.target.tag.map { #"{"tags":["\#($0)"]}"# } ?? #"{"purge_everything":true}"#
            request.body = Data(body.utf8)
        case .fastly:
            request.fields["Fastly-Key"] = token?.text
            if !purge.isHard, purge.target.tag != nil { request.fields["Fastly-Soft-Purge"] = "1" }
            request.body = Data()
        case .varnish:
            request.method = HTTPMethod(rawValue: "BAN")
            request.fields["Authorization"] = token?.proof
            request.fields["Surrogate-Key"] = purge.target.tag
        }
        return request
    }

    private func url(for tag: ByteString?) -> URL? {
        switch kind {
        case .cloudflare(let zone): URL(string: "\(base)/zones/\(zone)/purge_cache")
        case .fastly(let service):
            URL(string: "\(base)/service/\(service)/\(tag.map { "purge/\($0)" } ?? "purge_all")")
        case .varnish: URL(string: base)
        }
    }

    /// Returns the reason why the answer does not confirm the purge, or `nil` if it does.
    func refusal(status: Int, body: Data) -> String? {
        guard (200...299).contains(status) else { return "the status is \(status)" }
        guard case .cloudflare = kind else { return nil }
        let answer = try? JSONDecoder().decode(Answer.self, from: body)
        return answer?.success == true ? nil : "the answer does not say that it succeeded"
    }

    private struct Answer: Decodable {
        var success: Bool?
    }
}
