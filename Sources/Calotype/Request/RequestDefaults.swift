import CalotypeHTTP
import Foundation

/// The loader's settings that complete a request before any cache lookup, and determine its keys.
struct RequestDefaults: Sendable {
    let policy: CachePolicy
    private let deadline: Duration?
    private let fields: FieldsOfURL.Source?
    private let keyFields: KeyFields
    /// Whether the options contain a setting that ``complete(_:)`` adds to requests.
    private let completes: Bool

    init(_ options: ImageLoaderOptions) {
        policy = options.policy
        deadline = options.deadline
        fields = options.defaultFields.map { FieldsOfURL.Source($0) }
        keyFields = KeyFields(outside: options.fieldsOutsideKeys, identity: options.identityFields)
        completes = fields != nil || policy != .useProtocol || deadline != nil
    }

    func complete(_ request: ImageRequest) -> ImageRequest {
        guard completes else { return request }
        var complete = request
        complete.policy = request.policy ?? policy
        if let deadline, request.deadline == nil { complete.deadline = deadline }
        if let fields { complete.source = request.source.adding(fields) }
        return complete
    }

    /// - Parameter request: A request that ``complete(_:)`` has returned.
    func keys(of request: ImageRequest) -> ImageKeys { ImageKeys(request, fields: keyFields) }
}
