import CCurl
import CalotypeHTTP
import Foundation

extension CurlTransfer {
    /// Sets the options that are the same for every request.
    func setUp() {
        let options = context.options
        let pointer = Unmanaged.passUnretained(self).toOpaque()
        for option in [
            CURLOPT_PRIVATE, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_PREREQDATA, CURLOPT_READDATA,
        ] {
            _ = calotype_curl_set_pointer(easy, option, pointer)
        }
        _ = calotype_curl_set_data_callback(easy, CURLOPT_WRITEFUNCTION, calotypeBodyCallback)
        _ = calotype_curl_set_data_callback(easy, CURLOPT_HEADERFUNCTION, calotypeHeadCallback)
        _ = calotype_curl_set_data_callback(easy, CURLOPT_READFUNCTION, calotypeUploadCallback)
        _ = calotype_curl_set_prereq_callback(easy, calotypeConnectionCallback)
        _ = calotype_curl_set_socket_callbacks(
            easy, calotypeOpenSocketCallback, pointer, calotypeCloseSocketCallback,
            Unmanaged.passUnretained(context.multi.sockets).toOpaque())
        _ = calotype_curl_set_pointer(easy, CURLOPT_SHARE, context.multi.share)
        _ = calotype_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText.pointer)
        calotype_curl_set_protocols(easy, "http,https")
        calotype_curl_set_lookup_callback(easy, calotypeLookupCallback, pointer)
        _ = calotype_curl_set_addresses(easy, addresses.pointer)
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        set(CURLOPT_BUFFERSIZE, buffers.receiving)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_HTTP_VERSION, options.allowsHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
        set(CURLOPT_USERAGENT, options.addsNothing ? nil : options.userAgent)
        set(CURLOPT_PROXY, route.proxy?.url ?? "")
        // `route` has applied the exceptions already.
        set(CURLOPT_NOPROXY, "")
        if let file = options.certificateAuthorities { set(CURLOPT_CAINFO, file) }
        _ = calotype_curl_set_fields(easy, context.plainFields.pointer)
    }

    func write(_ request: HTTPRequest, onNewConnection: Bool) {
        if onNewConnection { set(CURLOPT_FRESH_CONNECT, 1) }
        set(CURLOPT_URL, request.url.absoluteString)
        set(CURLOPT_CONNECTTIMEOUT_MS, clock.connectMilliseconds)
        // Wait until the origin's first connection has negotiated its HTTP version. Without TLS, the version is unknown
        // before the first response.
        let mayMultiplex = context.options.allowsHTTP2 && exchange.origin.isSecure
        set(CURLOPT_PIPEWAIT, mayMultiplex ? 1 : 0)
        let hasBody = request.body != nil || request.upload != nil
        if !request.fields.isEmpty || hasBody {
            let fields = CurlFieldList(request.fields, hasBody: hasBody, isPlain: context.options.addsNothing)
            _ = calotype_curl_set_fields(easy, fields.pointer)
            self.fields = fields
        }
        if request.method != .get || hasBody || request.rawTarget != nil { writeSpecial(request) }
    }

    private func writeSpecial(_ request: HTTPRequest) {
        if let target = request.rawTarget { set(CURLOPT_REQUEST_TARGET, target) }
        if request.method == .head { return set(CURLOPT_NOBODY, 1) }
        if let upload = request.upload {
            set(CURLOPT_UPLOAD, 1)
            _ = calotype_curl_set_offset(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(upload.length ?? -1))
        } else if let body = request.body {
            _ = calotype_curl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
            body.withUnsafeBytes { bytes in
                // An empty body has no address, but with a null pointer curl would read the body from a callback.
                var nothing: UInt8 = 0
                withUnsafeMutablePointer(to: &nothing) { empty in
                    let start = bytes.baseAddress.map { UnsafeMutableRawPointer(mutating: $0) }
                    _ = calotype_curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, start ?? UnsafeMutableRawPointer(empty))
                }
            }
        }
        set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    }

    private func set(_ option: CURLoption, _ value: Int) { _ = calotype_curl_set_long(easy, option, value) }
    /// Sets a text option. curl copies the bytes.
    private func set(_ option: CURLoption, _ value: ByteString) {
        value.withCString { _ = calotype_curl_set_string(easy, option, $0) }
    }
    private func set(_ option: CURLoption, _ value: String?) { _ = calotype_curl_set_string(easy, option, value) }
}

extension HTTPOrigin {
    var isSecure: Bool { scheme == "https" }
}

private func transfer(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
    context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
}

private let calotypeHeadCallback: calotype_curl_data_callback = { bytes, size, count, context in
    transfer(context)?.takeHeadLine(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
}

private let calotypeBodyCallback: calotype_curl_data_callback = { bytes, size, count, context in
    transfer(context)?.takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
}

private let calotypeUploadCallback: calotype_curl_data_callback = { bytes, size, count, context in
    let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
    return transfer(context)?.giveBody(buffer) ?? calotype_curl_readfunc_abort()
}

/// Refuses curl's own lookups, which would occupy threads and descriptors, unless a host is a numeric address.
private let calotypeLookupCallback: curl_resolver_start_callback = { _, _, context in
    transfer(context)?.route.knowsNamesOnly == false ? 0 : 1
}

/// Has the last word about each address, whatever its spelling and the source of it.
private let calotypeOpenSocketCallback: curl_opensocket_callback = { context, _, address in
    guard let address else { return -1 }
    return transfer(context)?.openSocket(address) ?? -1
}

private let calotypeConnectionCallback: calotype_curl_prereq_callback = { context, _, _, _, localPort in
    transfer(context)?.takeConnection(localPort: localPort) == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}
