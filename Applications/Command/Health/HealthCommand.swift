import CalotypeBase
import CalotypeHTTP
import CalotypeTransport
import Foundation

struct HealthCommand: Command {
    static let syntax = CommandSyntax(
        name: "health", summary: "Ask a server whether it is healthy.", operands: "URL", operandCount: 1...1,
        readsSettings: false,
        notes: [
            """
            Sends one GET, and follows no redirect. The status is 0 if the server answers with a status from 200 to 299 \
            within 2 seconds, otherwise 1: what a container's health check expects.
            """
        ],
        examples: [("health http://127.0.0.1:8080/health", "the health of calotype serve")])

    private static let timeouts = HTTPRequest.Timeouts(connect: .seconds(2), idle: .seconds(2), total: .seconds(2))

    private let url: URL

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        do throws(Failure) { url = try Address(arguments.operands[0], allowsPaths: false).url } catch {
            throw arguments.error("\(Address.label(of: arguments.operands[0])): \(error)")
        }
        guard ["http", "https"].contains(url.scheme?.lowercased() ?? "") else {
            throw arguments.error("\(Address.label(of: arguments.operands[0])): expected http or https")
        }
    }

    func run(_ context: Context) async -> ExitStatus {
        let name = url.withoutUserInfo.absoluteString
        do throws(TransportError) {
            let response = try await CurlTransport().send(HTTPRequest(url, timeouts: Self.timeouts))
            if (200...299).contains(response.status) {
                context.console.line("\(name): \(response.status)")
                return .success
            }
            context.console.complain("health: \(name): \(response.status)")
        } catch {
            context.console.complain("health: \(name): \(error)")
        }
        return .failure
    }
}
