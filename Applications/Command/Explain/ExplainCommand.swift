import Calotype
import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeTransport
import Foundation

struct ExplainCommand: Command {
    static let syntax = CommandSyntax(
        name: "explain", summary: "Print what HTTP caches may do with the response of a URL, and by which rules.",
        operands: "URL", operandCount: 1...1,
        options: [.role, .request, .json, .timeout, .authorities, .proxy],
        notes: [
            """
            Sends one HEAD, or a GET if the request has a Range or the server refuses the HEAD, and follows no redirect. The \
            body is not read, and no cache is used or changed.
            """,
            """
            Explains the decisions of three caches: a browser's, that of a CDN, and Calotype's own. Each line ends with the sections \
            of the standards on which the decision is based. The decisions are those of Calotype's cache, by the rules for a \
            cache of one user or of many; other software may do less than the standards allow.
            """,
            """
            --as shared leaves out the browser, and adds calotype proxy in place of Calotype in apps. --as private leaves out the CDN.
            """,
        ],
        examples: [
            ("explain https://example.com/photo.jpg", "a browser, a CDN and Calotype"),
            (
                "explain --as shared -H 'Authorization: Bearer 1234' https://example.com/photo.jpg",
                "a request with a token"
            ),
            (
                "explain --json -H 'If-None-Match: \"1\"' https://example.com/photo.jpg",
                "a conditional request, as JSON"
            ),
        ])

    private let url: URL
    private let caches: [ExplainedCache]
    private let network: NetworkOptions
    private let fields: HTTPFields
    private let isJSON: Bool

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        let name = arguments.operands[0]
        do throws(Failure) { url = try Address(name, allowsPaths: false).url } catch {
            throw arguments.error("\(Address.label(of: name)): \(error)")
        }
        guard ["http", "https"].contains(url.caselessScheme) else {
            throw arguments.error("\(Address.label(of: name)): expected http or https")
        }
        caches = try arguments.choice(.role, ExplainedCache.roles) ?? ExplainedCache.all
        network = try NetworkOptions(arguments, context)
        fields = try NetworkOptions.fields(arguments, of: .request)
        isJSON = arguments.has(.json)
    }

    func run(_ context: Context) async -> ExitStatus {
        do throws(TransportError) {
            let page = ExplainedResponse(try await exchange(), caches)
            if isJSON {
                context.console.line(JSON.line(page))
            } else {
                for line in page.lines { context.console.line(line) }
            }
            return .success
        } catch {
            if Task.isCancelled { return .failure }
            context.console.complain("explain: \(Address.label(of: url.absoluteString)): \(error)")
            return .failure
        }
    }

    /// Sends a HEAD if it suffices, otherwise a GET.
    private func exchange() async throws(TransportError) -> ExplainedExchange {
        var request = network.request(url)
        request.fields = fields
        let transport = network.makeTransport()
        if request.fields["Range"] == nil {
            var head = request
            head.method = .head
            let exchange = try await send(head, over: transport)
            // The refusal of a HEAD says nothing about the response to a GET.
            if exchange.response.status < 400 { return exchange }
        }
        return try await send(request, over: transport)
    }

    private func send(
        _ request: HTTPRequest, over transport: some Transport
    ) async throws(TransportError) -> ExplainedExchange {
        let sent = WallClock.system.now
        var response = try await transport.send(request)
        // Ends the transfer.
        response.body = .empty
        return ExplainedExchange(
            request: request, response: response, requestTime: sent, responseTime: WallClock.system.now)
    }
}

extension Option {
    fileprivate static let role = Option(
        "as", nil, "ROLE", offers: .words(ExplainedCache.roles.map(\.word)),
        help: "Explain only caches of one user (private), or only those of many (shared).")
    static let request = Option(
        "request", "H", "'NAME: VALUE'",
        help: "Send this header field, and decide for a request with it. Can be repeated.")
}
