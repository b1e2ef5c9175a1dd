package import CalotypeBase

/// The grammar of imaginary's requests: the name of an operation as the path, and its parameters as the query.
///
///     /fit?width=300&height=200&type=webp
///     /pipeline?operations=[{"operation":"autorotate"},{"operation":"fit","params":{"width":300,"height":200}}]
///
/// A request has a rendition like imgproxy's, or is refused: all operations of a pipeline make one rendition.
package struct ImaginaryGrammar: Sendable {
    /// The maximum number of operations in a pipeline. The default is 16.
    package var maxOperations = 16

    package init() {}

    /// What a request asks for.
    package enum Task: Hashable, Sendable {
        /// One file, made from the posted image.
        case rendition(RenditionOptions)
        /// A description of the posted image.
        case info
        case health
    }

    package struct Parsed: Hashable, Sendable {
        package var task: Task
        /// Whether the client's Accept may decide about the format, so that responses vary by it.
        package var followsAccept = false
    }

    /// Returns the method that a path takes, for the field Allow, or `nil` if there is no such path.
    package static func method(at path: ByteString) -> ByteString? { endpoint(at: path).map(\.method) }

    /// - Throws: 404 for unknown paths, 405 for methods other than ``method(at:)``.
    package static func check(_ method: ByteString, at path: ByteString) throws(RenditionError) {
        guard let endpoint = endpoint(at: path) else { throw RenditionError(404, "there is no \(path.quoted)") }
        guard method == endpoint.method else {
            throw RenditionError(405, "\(path.quoted) takes \(endpoint.method), not \(method.quoted)")
        }
    }

    /// Parses a request.
    ///
    /// - Parameter accept: The values of the client's Accept, for `type=auto`.
    /// - Throws: 404 for unknown paths, 405 for methods other than ``method(at:)``, and 400 for everything that the server
    ///   does not do; the message names the operation and the parameter.
    package func request(
        _ target: ImaginaryTarget, method: ByteString, accept: [ByteString] = []
    ) throws(RenditionError) -> Parsed {
        try Self.check(method, at: target.path)
        if let name = target.undecodable {
            throw .malformed("the parameter \(name.quoted) has a \"%\" without two hexadecimal digits")
        }
        let best = AcceptedType(accept)
        let steps: [ImaginaryStep]
        switch Self.endpoint(at: target.path) {
        case nil, .info: return Parsed(task: .info)
        case .health: return Parsed(task: .health)
        case .pipeline:
            let pipeline = try ImaginaryPipeline(target.parameters["operations"] ?? "", limit: maxOperations)
            steps = try pipeline.steps(accepting: best)
        case .operation(let operation):
            let values = target.parameters.mapValues { ImaginaryValue.text($0) }
            steps = [try ImaginaryStep(operation, ImaginaryArguments(operation.name, values), accepting: best)]
        }
        var fold = ImaginaryFold()
        for step in steps { try fold.add(step) }
        return Parsed(task: .rendition(fold.options), followsAccept: steps.contains { $0.file.followsAccept })
    }

    private enum Endpoint {
        case operation(ImaginaryOperation)
        case pipeline, info, health

        var method: ByteString {
            if case .health = self { "GET" } else { "POST" }
        }
    }

    private static func endpoint(at path: ByteString) -> Endpoint? {
        switch path {
        case "/pipeline": .pipeline
        case "/info": .info
        case "/health": .health
        case _ where path.hasPrefix("/"): ImaginaryOperation.named(path.dropFirst()).map(Endpoint.operation)
        default: nil
        }
    }
}

/// The format for `type=auto`: imaginary takes the first of three that Accept names, whatever their qualities.
struct AcceptedType {
    let format: RenditionFormat?

    init(_ accept: [ByteString]) {
        let ranges = accept.flatMap { $0.split(separator: UInt8(ascii: ",")) }
        format =
            ranges.lazy.compactMap { range -> RenditionFormat? in
                switch range.split(separator: UInt8(ascii: ";"))[0].trimmed.lowercasedASCII {
                case "image/webp": .webp
                case "image/png": .png
                case "image/jpeg": .jpeg
                default: nil
                }
            }.first
    }
}
