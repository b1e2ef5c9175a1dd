import CalotypeBase
import CalotypeServer
import CalotypeURLs

struct SignCommand: Command {
    static let syntax = CommandSyntax(
        name: "sign", summary: "Print the path of a rendition, signed.", operands: "SOURCE [OPTION...]",
        operandCount: 0...Int.max,
        options: [.info, .forPost, .presets, .preset, .presetsOnly, .signatureSize, .config, .printConfig],
        secretOptions: URLSigner.secretFlags,
        isService: true, readsImgproxy: true, permitsOthersSettings: true,
        notes: [
            """
            SOURCE is the URL of the source, such as local:///cat.jpg, followed by @webp for a format. Each OPTION is one \
            of imgproxy's, such as rs:fill:300:400, or with --presets-only the name of a preset. With --info, it is one of those \
            for facts, such as bh:4:3, and SOURCE has no format. Presets are checked if \
            the settings have any. The key and the salt are the first ones of the settings key and \
            salt, as for calotype serve, whose file --config takes; without them the signature is _. With --for-post there is no \
            SOURCE: the path is that of an image by POST, and the word each begins the options of a further result.
            """
        ],
        examples: [
            ("sign local:///cat.jpg@webp rs:fill:300:400 g:sm", "a path for a WebP of 300 x 400 pixels"),
            (
                "sign --for-post exp:1798761600 each rs:fit:400:0 each rs:fit:1600:0",
                "a path for two sizes of an image by POST"
            ),
            ("sign --info local:///cat.jpg bh:4:3", "a path for facts and a BlurHash"),
        ])

    private let path: ByteString

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        var grammar = try arguments.grammar()
        // The settings of the server decide, which may be others.
        grammar.permitsPlaces = true
        grammar.takesUnknownPresets = !arguments.has(.presets) && !arguments.has(.preset)
        guard !arguments.has(.forPost) else {
            path = try Self.pathForPost(arguments, grammar)
            return
        }
        guard !arguments.operands.isEmpty else {
            throw arguments.error("the source is missing, such as local:///cat.jpg")
        }
        for option in arguments.operands.dropFirst() where !grammar.takesPresetsOnly {
            guard option.contains(UInt8(ascii: ":")) else {
                throw arguments.error("\(option.quoted) is not option:argument, such as w:300")
            }
        }
        let separator: ByteString = grammar.takesPresetsOnly ? ":" : "/"
        let options = arguments.operands.dropFirst().joined(separator: separator)
        let path: ByteString =
            "\(Self.kind(arguments))\(options.isEmpty ? "" : "/")\(options)/plain/\(Self.escaped(arguments.operands[0]))"
        var server = RenditionServer.Options(root: "")
        server.serving.grammar = grammar
        do throws(RenditionError) { try server.check(path.placing(signature: "_")) } catch {
            // Ignore 403: the server's configuration, which is unknown here, determines the allowed sources.
            if error.status != 403 { throw arguments.error(error.message) }
        }
        self.path = try arguments.signer()?.signed(path) ?? path.placing(signature: "_")
    }

    private static func pathForPost(
        _ arguments: Arguments, _ grammar: RenditionGrammar
    ) throws(UsageError) -> ByteString {
        let parts: ByteString = arguments.operands.map { "\($0)/" }.joined()
        let path: ByteString = "\(kind(arguments))/\(parts)"
        do throws(RenditionError) { _ = try grammar.posted(path) } catch { throw arguments.error(error.message) }
        return try arguments.signer()?.signedForPost(path) ?? path.placing(signature: "_")
    }

    /// The beginning of a path that asks for facts.
    private static func kind(_ arguments: Arguments) -> ByteString {
        arguments.has(.info) ? "/\(RenditionGrammar.infoName)" : ""
    }

    /// Percent-encodes a URL as a part of a path, but for the "@" in front of a format: letters and digits at its end.
    private static func escaped(_ source: ByteString) -> ByteString {
        let last = source.split(separator: UInt8(ascii: "@")).last ?? ""
        let hasFormat = last.count < source.count && last.withBytes { $0.allSatisfy(\.isAlphanumeric) }
        let url = hasFormat ? ByteString(bytes: source.bytes.dropLast(last.count + 1)) : source
        let path = url.percentEncoded { (0x21...0x7E).contains($0) && !"%?#\"<>\\^`{|}@".utf8.contains($0) }
        return hasFormat ? "\(path)@\(last)" : path
    }

    func run(_ context: Context) async -> ExitStatus {
        context.console.line(path.string)
        return .success
    }
}

extension Option {
    /// Not "post", which is a setting of servers, whose files the command reads.
    static let forPost = Option(
        "for-post", help: "Print the path of an image by POST: the operands are options alone, and the word each.")
    fileprivate static let info = Option(
        "info", help: "Sign a path that asks for facts about the image, not for a thumbnail.")
}
