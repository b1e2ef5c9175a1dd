/// Who wants to hear of interim responses (1xx, RFC 9110 §15.2). It travels with the task that sends the request.
public enum InterimResponses {
    public typealias Observer = @Sendable (_ status: Int, _ fields: HTTPFields) -> Void

    /// Called once for each, in order, before the final response, on a thread of the transport's: be quick.
    @TaskLocal public static var observer: Observer?
}
