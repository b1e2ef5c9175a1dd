// Keys consist of this type, so that an import of this module is enough to make one.
@_exported public import struct CalotypeBase.ByteString
