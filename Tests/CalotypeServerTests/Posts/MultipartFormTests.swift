import CalotypeBase
import Foundation
import Testing

@testable import CalotypeServer

/// The file in a form, in all spellings that clients use, and in malformed ones.
struct MultipartFormTests {
    private func file(_ body: String, type: ByteString = "multipart/form-data; boundary=x") throws -> String {
        let form = try #require(try MultipartForm(type: type))
        let data = Data(body.utf8)
        return String(decoding: data[try form.file(in: data)], as: UTF8.self)
    }

    private static let head = "Content-Disposition: form-data; name=\"a\"; filename=\"a.jpg\"\r\n\r\n"

    @Test(arguments: [
        "image/jpeg", "", "multipart/mixed; boundary=x", "multipart/form-data-x; boundary=x",
        "application/octet-stream",
    ])
    func `another type is no form`(type: String) throws {
        #expect(try MultipartForm(type: ByteString(type)) == nil)
    }

    @Test(arguments: ["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\"\""])
    func `a form has a boundary`(type: String) {
        #expect(throws: ServerError.self) { try MultipartForm(type: ByteString(type)) }
    }

    @Test(arguments: [1, 70, 71])
    func `a boundary has 1 to 70 characters`(count: Int) throws {
        let type = ByteString("multipart/form-data; boundary=" + String(repeating: "b", count: count))
        guard count < 71 else {
            #expect(throws: ServerError.self) { try MultipartForm(type: type) }
            return
        }
        #expect(try MultipartForm(type: type) != nil)
    }

    @Test(arguments: [
        "multipart/form-data; boundary=x", "Multipart/Form-Data;charset=utf-8;boundary=\"x\"",
        "multipart/form-data ; Boundary = x",
    ])
    func `spellings of the type are equal`(type: String) throws {
        #expect(try file("--x\r\n\(Self.head)image\r\n--x--\r\n", type: ByteString(type)) == "image")
    }

    @Test(arguments: [
        ("--x\r\n%image\r\n--x--", "image"), ("text\r\n--x  \r\n%image\r\n--x--\r\nmore", "image"),
        ("--x\r\n%\r\n--x--", ""), ("--x\r\n%a\r\n--y\r\n--\r\n--x--", "a\r\n--y\r\n--"),
        ("--x\r\n%a\r\n\r\n--x--", "a\r\n"), ("--x\r\n\r\nimage\r\n--x--", "image"),
        ("--x\r\ncontent-disposition: form-data; name=b\r\n\r\nb\r\n--x\r\n%image\r\n--x--", "image"),
        ("--x\r\nContent-Disposition: form-data; name=a; filename*=UTF-8''a\r\n\r\nimage\r\n--x--", "image"),
    ])
    func `the file is found`(body: String, image: String) throws {
        #expect(try file(body.replacing("%", with: Self.head)) == image)
    }

    @Test(arguments: [
        "", "--x", "--x\r\n", "--x--", "--x\r\n%image", "--x\r\n%image\r\n--x", "--x\r\n%image\r\n--xy--",
        "--ximage\r\n%image\r\n--x--", "--x\r\nContent-Disposition: form-data\r\nimage\r\n--x--",
        "--x\r\n%a\r\n--x\r\n%b\r\n--x--",
        "--x\r\nContent-Disposition: form-data; name=a\r\n\r\na\r\n--x\r\nA: b\r\n\r\nb\r\n--x--",
        "x--x\r\n%image\r\n--x--",
    ])
    func `a form without one whole file is refused`(body: String) {
        #expect(throws: ServerError.self) { try file(body.replacing("%", with: Self.head)) }
    }

    @Test func `a form that is cut anywhere is refused, and never read beyond`() throws {
        let whole = "--x\r\n\(Self.head)image\r\n--x\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\nb\r\n--x--"
        for count in 0..<whole.utf8.count {
            #expect(throws: ServerError.self) { try file(String(decoding: whole.utf8.prefix(count), as: UTF8.self)) }
        }
    }

    @Test(arguments: [64, 65])
    func `a form has at most 64 parts`(count: Int) throws {
        let note = "--x\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\nb\r\n"
        let body = String(repeating: note, count: count - 1) + "--x\r\n\(Self.head)image\r\n--x--"
        if count > 64 {
            #expect(throws: ServerError.self) { try file(body) }
        } else {
            #expect(try file(body) == "image")
        }
    }
}
