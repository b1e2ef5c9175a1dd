import CMicroHTTPD
import CalotypeHTTP
import Foundation

/// Owns one response of the library's until it is queued or given up.
struct Reply: ~Copyable {
    private let pointer: OpaquePointer

    /// Bodies up to this many bytes are copied: that is cheaper than to hold on to them.
    private static let copyLimit = 1 << 10
    private static let blockSize = 64 << 10

    /// A response whose bytes are copied now.
    init?(bytes: Data) {
        let made = bytes.withUnsafeBytes { buffer in
            // The library takes a mutable pointer, and only reads from it to make its copy.
            MHD_create_response_from_buffer(
                buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress), .RESPMEM_MUST_COPY)
        }
        guard let made else { return nil }
        pointer = made
    }

    /// A response whose bytes stay where they are until they are sent. They leave together with the head, as far as the
    /// kernel takes them.
    init?(held data: Data) {
        let held = HeldData(data)
        let box = Unmanaged.passRetained(held)
        let made = MHD_create_response_from_buffer_with_free_callback_cls(
            data.count, UnsafeMutableRawPointer(mutating: held.start),
            { closure in
                guard let closure else { return }
                Unmanaged<HeldData>.fromOpaque(closure).release()
            }, box.toOpaque())
        guard let made else {
            box.release()
            return nil
        }
        pointer = made
    }

    /// A response whose bytes are asked for as the client takes them.
    ///
    /// - Parameter length: nil means chunked.
    init?(reader: any BodyReader, length: UInt64?) {
        let box = Unmanaged.passRetained(ReaderBox(reader))
        let made = MHD_create_response_from_callback(
            length ?? calotype_mhd_size_unknown, Self.blockSize,
            { closure, _, buffer, count in
                guard let closure, let buffer else { return calotype_mhd_end_with_error }
                let target = UnsafeMutableRawBufferPointer(start: buffer, count: count)
                return Unmanaged<ReaderBox>.fromOpaque(closure).takeUnretainedValue().reader.read(into: target).code
            },
            box.toOpaque(),
            { closure in
                guard let closure else { return }
                Unmanaged<ReaderBox>.fromOpaque(closure).takeRetainedValue().reader.close()
            })
        guard let made else {
            box.release()
            return nil
        }
        pointer = made
    }

    deinit { MHD_destroy_response(pointer) }

    static func isSmall(_ data: Data) -> Bool { data.count <= copyLimit }

    /// False when the library refuses the line.
    func add(_ name: CaselessString, _ value: ByteString) -> Bool {
        // An empty value is refused; a space means the same to whoever reads it.
        let line: ByteString = value.isEmpty ? " " : value
        return line.withCString { MHD_add_response_header(pointer, name.string, $0) == .YES }
    }

    func set(_ flags: MHD_ResponseFlags) {
        _ = calotype_mhd_set_flags(pointer, flags)
    }

    func queue(on connection: OpaquePointer, status: Int) -> MHD_Result {
        MHD_queue_response(connection, UInt32(status), pointer)
    }
}

/// Keeps bytes where they are. Not as NSData: that makes a copy here.
private final class HeldData {
    let data: Data
    /// More bytes than fit into the value itself lie on the heap, and stay in one place while nobody changes them, which
    /// nobody does to a constant.
    let start: UnsafeRawPointer?

    init(_ data: Data) {
        self.data = data
        start = data.withUnsafeBytes { $0.baseAddress }
    }
}

private final class ReaderBox {
    let reader: any BodyReader

    init(_ reader: any BodyReader) { self.reader = reader }
}
