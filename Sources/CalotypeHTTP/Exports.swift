// What fields are made of: who imports this module to read or set them has imported these with it.
@_exported public import struct CalotypeBase.ByteString
@_exported public import struct CalotypeBase.CaselessString
@_exported public import struct CalotypeBase.ErrorCode
