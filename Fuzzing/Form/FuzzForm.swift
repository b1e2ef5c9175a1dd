import CalotypeBase
import CalotypeFuzzSupport
import Foundation

@testable import CalotypeServer

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
    Seeds.writeIfAsked {
        let file = "Content-Disposition: form-data; name=\"a\"; filename=\"a.jpg\"\r\nContent-Type: a/b\r\n\r\nimage"
        let note = "Content-Disposition: form-data; name=b\r\n\r\nnote"
        let type = "multipart/form-data; boundary=x\n"
        return [
            "\(type)--x\r\n\(file)\r\n--x--\r\n", "\(type)start\r\n--x \r\n\(note)\r\n--x\r\n\(file)\r\n--x--",
            "multipart/form-data; charset=utf-8; boundary=\"x y\"\n--x y\r\n\r\nimage\r\n--x y--", "image/jpeg\nimage",
        ].map { Data($0.utf8) }
    }
}

/// Takes the first line as a Content-Type and the rest as a body. The file of a form lies within the body, behind a delimiter, and
/// contains no delimiter.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let all = Data(input(bytes, count))
    let line = all.prefix { $0 != 0x0A }
    let body = Data(all.dropFirst(line.count + 1))
    do throws(ServerError) {
        guard let form = try MultipartForm(type: ByteString(bytes: line)) else { return 0 }
        let file = try form.file(in: body)
        require(file.lowerBound >= 4 && file.upperBound <= body.count, "the file lies outside: \(file)")
        let rest = body[file.upperBound...]
        require(rest.starts(with: "\r\n--".utf8) || file.isEmpty, "no delimiter follows the file: \(file)")
    } catch {
        require(error.status == 400, "\(error.status)")
    }
    return 0
}
