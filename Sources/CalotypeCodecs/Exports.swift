// Re-exported because the public type `CodecError.Code` is an alias of it.
@_exported public import struct CalotypeBase.ErrorCode
