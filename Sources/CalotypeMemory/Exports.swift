// Keys are made of this type: who imports this module to make one has imported it with it.
@_exported public import struct CalotypeBase.ByteString
