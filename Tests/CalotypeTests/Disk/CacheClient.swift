import CalotypeTesting
import TestSupport

extension ChildProgram {
    /// Starts the program that loads through a cache on disk.
    static func cacheClient(_ arguments: String...) throws -> ChildProgram {
        try ChildProgram("calotype-cache-client", arguments)
    }

    static func cacheClient(_ directory: String, loading urls: some Sequence<String>) throws -> ChildProgram {
        try ChildProgram("calotype-cache-client", [directory] + urls)
    }
}
