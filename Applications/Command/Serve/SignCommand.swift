import CalotypeBase
import CalotypeServer

/// `calotype sign`: makes a path for `calotype serve`, or for imgproxy.
struct SignCommand: Command {
    static let syntax = CommandSyntax(
        name: "sign", summary: "Print the path of a rendition, signed.", operands: "SOURCE OPTION...",
        operandCount: 1...Int.max, readsSettings: false,
        notes: [
            """
            SOURCE is the URL of the source, such as local:///cat.jpg, with @webp behind it for a format. Each OPTION is \
            one of imgproxy's, such as rs:fill:300:400. The key and the salt are the first ones in IMGPROXY_KEY and \
            IMGPROXY_SALT; without them the signature is _.
            """
        ],
        examples: [("sign local:///cat.jpg@webp rs:fill:300:400 g:sm", "a path for a WebP of 300 x 400 pixels")])

    private let path: ByteString

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        let options = arguments.operands.dropFirst().map { "\($0)/" }.joined()
        let path = ByteString("/\(options)plain/\(arguments.operands[0])")
        do throws(RenditionError) { _ = try RenditionRequest(path: path) } catch {
            throw arguments.error(error.message)
        }
        self.path = try SigningKeys.signer(context, arguments)?.signed(path) ?? "/_\(path)"
    }

    func run(_ context: Context) async -> ExitStatus {
        context.console.line(path.string)
        return .success
    }
}
