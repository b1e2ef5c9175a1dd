// Exported again, so that callers can create keys and compare error codes without importing `CalotypeBase`.
@_exported public import struct CalotypeBase.ByteString
@_exported public import struct CalotypeBase.ErrorCode
@_exported public import struct CalotypeBase.WallClock
