// Keys are of this type: who imports this module to name an entry has imported it with it.
@_exported public import struct ResourceProvider.ByteString
@_exported public import struct CalotypeConcurrency.ErrorCode
