// The codes of errors are of this type: importing this module is enough to read them.
@_exported public import struct CalotypeBase.ErrorCode
