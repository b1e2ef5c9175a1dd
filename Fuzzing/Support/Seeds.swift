public import Foundation

/// The seeds of a fuzz target: small inputs made by code or given in base64. The repository contains no image files.
public enum Seeds {
    /// Writes the seeds and ends the process if `CALOTYPE_FUZZ_SEEDS` names a directory; otherwise returns.
    ///
    /// Each target calls this function once, before libFuzzer starts.
    ///
    /// - Returns: 0, for `LLVMFuzzerInitialize`.
    public static func writeIfAsked(_ seeds: () throws -> [Data]) -> Int32 {
        guard let directory = ProcessInfo.processInfo.environment["CALOTYPE_FUZZ_SEEDS"] else { return 0 }
        do {
            for (index, seed) in try seeds().enumerated() {
                try seed.write(to: URL(fileURLWithPath: directory).appending(path: "seed-\(index)"))
            }
            exit(0)
        } catch {
            FileHandle.standardError.write(Data("the seeds could not be made: \(error)\n".utf8))
            exit(1)
        }
    }
}

/// Copies libFuzzer's bytes, so that the sanitizer detects a decoder that reads beyond their end.
public func input(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Data {
    guard let bytes, count > 0 else { return Data() }
    return Data(bytes: bytes, count: count)
}

/// Ends the process if the condition is `false`. libFuzzer reports that as a crash, together with the input.
public func require(_ condition: Bool, _ what: @autoclosure () -> String) {
    precondition(condition, what())
}
