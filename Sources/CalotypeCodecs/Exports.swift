// `CodecError.Code` is this type: users of the module need it without a second import.
@_exported public import struct CalotypeBase.ErrorCode
