import CalotypeHTTP
import CalotypeListener
import CalotypeServer
import Foundation

/// A page of ``AdminServer``.
struct AdminPage: Sendable {
    let path: String
    /// The methods that `answer` handles. With GET, it handles HEAD, too.
    let methods: [HTTPMethod]
    let answer: @Sendable (ListenerRequest) async -> ListenerResponse
}

extension AdminPage {
    /// Answers while the process runs.
    static let health = AdminPage(path: "/.calotype/health", methods: [.get]) { _ in .adminText("ok\n") }

    /// Answers 200 while load balancers may send requests, otherwise 503 and the reason.
    ///
    /// - Parameter details: More lines of the answer 200, without a line end. None by default.
    static func ready(
        _ details: [String] = [], _ unreadiness: @escaping @Sendable () -> String?
    ) -> AdminPage {
        AdminPage(path: "/.calotype/ready", methods: [.get]) { _ in
            guard let reason = unreadiness() else {
                return .adminText((["ready"] + details).map { "\($0)\n" }.joined())
            }
            return .adminText("The server is starting, ending or stuck: \(reason).\n", status: 503)
        }
    }

    /// - Parameter text: Returns the metrics in the text format of Prometheus.
    static func metrics(_ text: @escaping @Sendable () async -> String) -> AdminPage {
        AdminPage(path: "/.calotype/metrics", methods: [.get]) { _ in
            var response = ListenerResponse.adminText(await text())
            response.fields["Content-Type"] = "text/plain; version=0.0.4; charset=utf-8"
            return response
        }
    }

    /// Takes purges, with the token of the server.
    static func purge(_ purges: PurgeAnswers) -> AdminPage {
        AdminPage(path: "/.calotype/purge", methods: [.post]) { await purges.purge($0) }
    }

    /// Lists the purges in force, for clients with the token of the server.
    static func purges(_ purges: PurgeAnswers) -> AdminPage {
        AdminPage(path: "/.calotype/purges", methods: [.get]) { await purges.list($0) }
    }

    /// The methods for the field `Allow`.
    var allowed: [HTTPMethod] { methods.contains(.get) ? methods + [.head] : methods }
}

extension ListenerResponse {
    static func adminText(_ text: String, status: Int = 200, _ more: HTTPFields = [:]) -> ListenerResponse {
        var fields = more
        fields["Content-Type"] = "text/plain; charset=utf-8"
        fields["Cache-Control"] = "no-store"
        return ListenerResponse(status: status, fields: fields, body: Data(text.utf8))
    }
}
