import CalotypeBase
import CalotypeHTTP
import CalotypeTransport
import CalotypeURLs

/// The options that a reload replaces, as one value.
///
/// A request is verified, parsed and checked under the value with which it begins. An exchange with an origin takes the
/// header fields, the buckets and the addresses of the value with which the exchange begins.
final class ServingRules: Sendable {
    let grammar: RenditionGrammar
    let allowed: AllowedSources
    /// The signers of requests for objects in buckets.
    let signers: SourceSigners
    let addresses: AddressRules
    let sourceFields: [(prefix: URLPrefix, fields: HTTPFields)]
    /// The receiver of the records of answers, or `nil` if no records are made.
    let log: (@Sendable (AnswerRecord) -> Void)?
    /// The answers that have records.
    let logLevel: LogOptions.Level
    /// The facts that records have besides.
    let logFields: Set<LogOptions.Field>
    private let signer: URLSigner?
    private let trusted: Set<ByteString>
    /// The secret that requests for renditions need.
    let token: ClientToken?
    /// Who may send images.
    let post: PostOptions

    init(_ serving: ServingOptions, _ sources: SourceOptions, _ log: LogOptions, wallClock: WallClock) {
        (signer, grammar) = (serving.signer, serving.grammar)
        (trusted, token, post) = (serving.trustedSignatures, serving.token, serving.post)
        (allowed, addresses, sourceFields) = (sources.allowed, sources.addresses, sources.fields)
        signers = ObjectSigners(environment: sources.environment, wallClock: wallClock)
            .signers(of: sources.allowed.objects)
        (self.log, logLevel, logFields) = (log.add, log.level, log.fields)
    }

    /// Returns the path, as it is signed.
    ///
    /// - Throws: 403 if the signature is not valid under any key.
    func verified(_ path: SignedPath) throws(RenditionError) -> ByteString {
        try verified(path) { $0 }
    }

    /// Returns the path of an image by POST, as it is signed.
    ///
    /// - Throws: 403 if the signature is not valid under any key.
    func verifiedForPost(_ path: SignedPath) throws(RenditionError) -> ByteString {
        try verified(path, PostedPath.signedText)
    }

    /// Whether a signature proves that the operator has chosen the options of a URL.
    var verifiesSignatures: Bool { signer != nil }

    /// - Parameter text: Returns the text that is signed for a path.
    private func verified(
        _ path: SignedPath, _ text: (ByteString) -> ByteString
    ) throws(RenditionError) -> ByteString {
        guard let signer, !trusted.contains(path.signature) else { return path.repaired?.path ?? path.path }
        if signer.isValid(path.signature, for: text(path.path)) { return path.path }
        if let repaired = path.repaired, signer.isValid(path.signature, for: text(repaired.path)) {
            return repaired.path
        }
        throw RenditionError(403, "the signature is not that of this URL")
    }
}
