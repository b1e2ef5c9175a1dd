import CalotypeHTTP
import Foundation

/// A request between its head and the end of its answer.
struct CurrentRequest {
    let id: UInt64
    let method: ByteString
    let isHead: Bool
    let target: String
    let fields: HTTPFields
    let isHTTP10: Bool
    /// A Boolean value indicating whether the client waits for 100 before it sends the body.
    let expectsContinue: Bool
    /// A Boolean value indicating whether the connection ends with the answer. At first as far as the client decides
    /// it.
    var isLast: Bool

    var body = Data()
    var upload: UploadPump?
    var exchange: ClientExchange?
    var isBodyComplete = false
    /// A Boolean value indicating whether the handler was asked.
    var isPresented = false
    var saidContinue = false
    var isAnswered = false
    /// A Boolean value indicating whether the kernel has the whole answer.
    var isSent = false

    init(id: UInt64, _ head: ParsedHead, of bytes: Span<UInt8>) {
        self.id = id
        method = bytes.text(head.method)
        isHead = bytes.isEqual(head.method, to: "HEAD")
        // ASCII, as the parser sees to.
        target = bytes.text(head.target).string
        fields = HTTPFields(
            head.fields.map { HTTPFields.Field(name: CaselessString(bytes.text($0.name)), value: bytes.text($0.value)) }
        )
        isHTTP10 = head.isHTTP10
        expectsContinue = head.expectsContinue && head.hasBody
        // What follows a request for another protocol may be of that protocol, though it was not granted.
        isLast = !head.keepsConnection || head.leavesHTTP
    }

    /// A Boolean value indicating whether bytes of the body may be taken now.
    var wantsBody: Bool { !isBodyComplete && (upload?.hasRoom() ?? true) }

    func request(upload: HTTPBody?, client: ClientAddress?) -> ListenerRequest {
        var request = ListenerRequest(
            id: id, method: HTTPMethod(rawValue: method), target: target, version: isHTTP10 ? "1.0" : "1.1",
            fields: fields, body: body)
        request.upload = upload
        request.client = client
        return request
    }
}

extension Span<UInt8> {
    fileprivate func text(_ range: Range<Int>) -> ByteString {
        extracting(range).withUnsafeBytes { ByteString(bytes: $0) }
    }
}
