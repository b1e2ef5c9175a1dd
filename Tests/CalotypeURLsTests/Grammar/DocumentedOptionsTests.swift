import CalotypeBase
import Foundation
import Testing

@testable import CalotypeURLs

struct DocumentedOptionsTests {
    @Test func `the document has every name of every option`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let text = try String(contentsOf: folder.appending(path: "Documentation/Server.md"), encoding: .utf8)
        for name in (OptionTable.rows + OptionTable.info).flatMap(\.names) {
            #expect(text.contains("`\(name)`"), "\(name)")
        }
    }
}
