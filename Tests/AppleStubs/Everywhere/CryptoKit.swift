public import Foundation

public protocol Digest: Hashable, ContiguousBytes, Sequence, Sendable where Element == UInt8 {}

public protocol HashFunction: Sendable {
    associatedtype Digest: CryptoKit.Digest
    init()
    mutating func update(bufferPointer: UnsafeRawBufferPointer)
    func finalize() -> Digest
}

extension HashFunction {
    public static func hash<D: DataProtocol>(data: D) -> Digest { Self().finalize() }
}

public struct SHA256Digest: Digest {
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
    public func makeIterator() -> Array<UInt8>.Iterator { fatalError() }
}

public struct SHA256: HashFunction {
    public init() {}
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
    public func finalize() -> SHA256Digest { SHA256Digest() }
}
