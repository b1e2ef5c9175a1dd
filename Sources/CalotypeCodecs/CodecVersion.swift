/// The version of the pixels that decoders, filters and steps produce from the same bytes.
///
/// It is part of the key of every stored processed image. Increment it with each change of the pixels, so that images
/// stored by an older version are processed again.
package let codecVersion = 4
