/// The version of the code that computes pixels: the decoders, filters and steps.
///
/// The key of every stored processed image contains this number. Increment it whenever the computed pixels change, so
/// that images stored by an older version are processed again.
package let codecVersion = 10
