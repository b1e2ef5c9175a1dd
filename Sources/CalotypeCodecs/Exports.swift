// Re-exported because the public type `CodecError.Code` is an alias of it.
@_exported public import struct CalotypeBase.ErrorCode
// What URLs of the server name, too: `CalotypeURLs` links no codec.
@_exported public import struct CalotypeBase.ImageColor
@_exported public import struct CalotypeBase.ImageFormat
