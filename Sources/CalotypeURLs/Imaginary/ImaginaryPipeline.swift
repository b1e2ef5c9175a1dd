import CalotypeBase
import Foundation

/// The parameter `operations` of `/pipeline`: a list of operations in JSON.
///
///     [{"operation": "fit", "ignore_failure": false, "params": {"width": 300, "height": "200"}}]
struct ImaginaryPipeline {
    private struct Element {
        let operation: ImaginaryOperation
        let arguments: ImaginaryArguments
        /// Whether an operation whose parameters are missing is skipped.
        let ignoresFailure: Bool
    }

    /// The maximum length of the list in bytes, and of values inside each other.
    private static let longest = 16_384, deepest = 16

    private let elements: [Element]

    /// - Parameter limit: The maximum number of operations.
    init(_ text: ByteString, limit: Int) throws(RenditionError) {
        guard !text.isEmpty else { throw Self.error("it is missing") }
        // Foundation's parser calls itself for each list inside a list, so that it gets flat and short texts alone.
        let shape = JSONShape(text)
        guard shape.depth <= Self.deepest else { throw Self.error("its lists and objects are too deep") }
        guard shape.elements <= limit else {
            throw Self.error("it has \(shape.elements) operations, and the server permits \(limit)")
        }
        guard text.count <= Self.longest else {
            throw Self.error("it has \(text.count) bytes, and the server permits \(Self.longest)")
        }
        guard let json = try? JSONDecoder().decode(JSON.self, from: Data(text.bytes)), case .list(let list) = json
        else {
            throw Self.error(
                #"it is not a list of JSON such as [{"operation":"fit","params":{"width":300,"height":200}}]"#)
        }
        guard !list.isEmpty else { throw Self.error("it has no operation") }
        var elements: [Element] = []
        for (index, json) in list.enumerated() { elements.append(try Self.element(json, number: index + 1)) }
        self.elements = elements
    }

    /// Returns what the operations do, in order.
    func steps(accepting accepted: AcceptedType) throws(RenditionError) -> [ImaginaryStep] {
        var steps: [ImaginaryStep] = []
        for element in elements where !element.ignoresFailure || element.arguments.have(element.operation.needs) {
            steps.append(try ImaginaryStep(element.operation, element.arguments, accepting: accepted))
        }
        return steps
    }

    private static func element(_ json: JSON, number: Int) throws(RenditionError) -> Element {
        let place = "operation \(number)"
        guard case .object(let object) = json else { throw error("\(place) is not an object") }
        var members: [ByteString: JSON] = [:]
        for (key, value) in object { members[ByteString(key)] = value }
        let unknown = members.keys.filter { !["operation", "ignore_failure", "params"].contains($0) }
        if let key = unknown.min() {
            throw error("\(place): the key \(key.quoted) is none of operation, ignore_failure and params")
        }
        guard case .text(let name) = members["operation"] else { throw error("\(place) has no text \"operation\"") }
        guard let operation = ImaginaryOperation.named(inPipeline: ByteString(name)) else {
            throw error("\(place): there is no operation \(ByteString(name).quoted)")
        }
        let parameters: [String: JSON]
        switch members["params"] {
        case nil, .null: parameters = [:]
        case .object(let object): parameters = object
        default: throw error("\(place): \"params\" is not an object")
        }
        let ignoresFailure: Bool
        switch members["ignore_failure"] {
        case nil, .null: ignoresFailure = false
        case .flag(let flag): ignoresFailure = flag
        default: throw error("\(place): \"ignore_failure\" is neither true nor false")
        }
        var values: [ByteString: ImaginaryValue] = [:]
        for (key, value) in parameters { values[ByteString(key)] = value.parameter }
        return Element(
            operation: operation, arguments: ImaginaryArguments(operation.name, number: number, values),
            ignoresFailure: ignoresFailure)
    }

    private static func error(_ problem: String) -> RenditionError {
        RenditionError(400, "pipeline: parameter \"operations\": \(problem)", option: "operations")
    }
}

/// The shape of a text in JSON, found without a parser: for a wrong text, an estimate.
private struct JSONShape {
    /// The maximum number of lists and objects inside each other.
    private(set) var depth = 0
    /// The number of elements of the outermost list.
    private(set) var elements = 1

    init(_ text: ByteString) {
        var open = 0, isText = false, isEscaped = false
        for byte in text.bytes {
            if isText {
                isText = byte != UInt8(ascii: "\"") || isEscaped
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                open += 1
                depth = max(depth, open)
            case UInt8(ascii: "]"), UInt8(ascii: "}"): open -= 1
            case UInt8(ascii: ","): elements += open == 1 ? 1 : 0
            default: break
            }
        }
    }
}

private indirect enum JSON: Decodable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([JSON])
    case object([String: JSON])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let object = try? value.decode([String: JSON].self) {
            self = .object(object)
        } else {
            self = .list(try value.decode([JSON].self))
        }
    }

    var parameter: ImaginaryValue {
        switch self {
        case .text(let text): .text(ByteString(text))
        case .flag(let flag): .flag(flag)
        case .number(let number): .number(number)
        case .null, .list, .object: .other
        }
    }
}
