/// The version of the pixels that decoders, filters and steps make of the same bytes.
///
/// It is part of the key of every stored processed image: it rises with each change of the pixels, so that images stored
/// by an older version are made again.
package let codecVersion = 4
