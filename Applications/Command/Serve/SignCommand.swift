import CalotypeBase
import CalotypeServer
import CalotypeURLs

struct SignCommand: Command {
    static let syntax = CommandSyntax(
        name: "sign", summary: "Print the path of a rendition, signed.", operands: "SOURCE [OPTION...]",
        operandCount: 1...Int.max, options: [.signatureSize, .config, .printConfig], secretOptions: [.key, .salt],
        isService: true, readsImgproxy: true, permitsOthersSettings: true,
        notes: [
            """
            SOURCE is the URL of the source, such as local:///cat.jpg, followed by @webp for a format. Each OPTION is one \
            of imgproxy's, such as rs:fill:300:400. The key and the salt are the first ones of the settings key and \
            salt, as for calotype serve, whose file --config takes; without them the signature is _.
            """
        ],
        examples: [("sign local:///cat.jpg@webp rs:fill:300:400 g:sm", "a path for a WebP of 300 x 400 pixels")])

    private let path: ByteString

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        let options = arguments.operands.dropFirst().map { "\($0)/" as ByteString }.joined()
        let path: ByteString = "/\(options)plain/\(Self.escaped(arguments.operands[0]))"
        do throws(RenditionError) { try RenditionServer.Options(root: "").check("/_\(path)") } catch {
            // Ignore 403: the server's configuration, which is unknown here, determines the allowed sources.
            if error.status != 403 { throw arguments.error(error.message) }
        }
        self.path = try arguments.signer()?.signed(path) ?? "/_\(path)"
    }

    /// Percent-encodes a URL as a part of a path.
    private static func escaped(_ source: ByteString) -> ByteString {
        source.percentEncoded { (0x21...0x7E).contains($0) && !"%?#\"<>\\^`{|}".utf8.contains($0) }
    }

    func run(_ context: Context) async -> ExitStatus {
        context.console.line(path.string)
        return .success
    }
}
