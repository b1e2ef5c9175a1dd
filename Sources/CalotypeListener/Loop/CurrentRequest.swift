import CalotypeHTTP
import Foundation

/// A request from its head to the end of its response.
struct CurrentRequest {
    let id: UInt64
    let method: ByteString
    let isHead: Bool
    let target: String
    let fields: HTTPFields
    let isHTTP10: Bool
    /// Whether the client waits for a 100 (Continue) before it sends the body.
    let expectsContinue: Bool
    /// Whether the connection ends after the response. The initial value follows from the request's head.
    var isLast: Bool

    var body = Data()
    var upload: UploadPump?
    var exchange: ClientExchange?
    var isBodyComplete = false
    /// Whether the handler has been called.
    var isPresented = false
    var saidContinue = false
    var isAnswered: Bool { status != nil }
    /// The status of the response, once there is one.
    var status: Int?
    /// The value of ``Connection/sentBytes`` at the end of the response's head.
    var bodyStart = 0
    /// Whether the kernel has the whole response.
    var isSent = false

    init(id: UInt64, _ head: ParsedHead, of bytes: Span<UInt8>) {
        self.id = id
        method = bytes.text(head.method)
        isHead = bytes.isEqual(head.method, to: "HEAD")
        // The parser accepts only ASCII here.
        target = bytes.text(head.target).string
        fields = HTTPFields(
            head.fields.map { HTTPFields.Field(name: CaselessString(bytes.text($0.name)), value: bytes.text($0.value)) }
        )
        isHTTP10 = head.isHTTP10
        expectsContinue = head.expectsContinue && head.hasBody
        // A client that sent Upgrade or CONNECT may send bytes of another protocol next. The listener never switches.
        isLast = !head.keepsConnection || head.leavesHTTP
    }

    /// Whether the body can be received now.
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
