// Clients create keys from a `ByteString` without importing `CalotypeBase`.
@_exported public import struct CalotypeBase.ByteString
@_exported public import struct CalotypeBase.WallClock
