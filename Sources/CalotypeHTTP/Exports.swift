// What fields are made of: who imports this module to read or set them has imported these with it.
@_exported public import struct ResourceProvider.ByteString
@_exported public import struct ResourceProvider.CaselessString
@_exported public import struct CalotypeConcurrency.ErrorCode
