/// The directories of a file's EXIF, with equal orders of bytes.
struct EXIFParts {
    let main: EXIFDirectory
    /// The directory of the exposure; `nil` if there is none.
    let photo: EXIFDirectory?
    /// The directory of the place (GPS); `nil` if there is none.
    let place: EXIFDirectory?

    /// Returns `nil` if the file has no EXIF block, or a damaged one.
    init?(of file: ByteReader) {
        if RawBoxes.areIn(file) {
            let boxes = RawBoxes(file)
            func directory(_ block: Range<Int>?) -> EXIFDirectory? { block.flatMap { EXIFDirectory(file.slice($0)) } }
            self.init(directory(boxes.image), photo: directory(boxes.exposure), place: directory(boxes.position))
            return
        }
        let main = EXIFLocation.range(in: file).flatMap { EXIFDirectory(file.slice($0)) }
        var photo = main?.directory(at: EXIFDirectory.photoTag)
        // The raw files of some cameras have it in their preview alone.
        if photo == nil, main != nil, file.uint16(at: 0) != 0xFFD8, let block = CameraRaw(file)?.exifInPreview {
            photo = EXIFDirectory(file.slice(block))?.directory(at: EXIFDirectory.photoTag)
        }
        self.init(main, photo: photo, place: main?.directory(at: EXIFDirectory.placeTag))
    }

    private init?(_ main: EXIFDirectory?, photo: EXIFDirectory?, place: EXIFDirectory?) {
        guard let main else { return nil }
        func fitting(_ part: EXIFDirectory?) -> EXIFDirectory? { part?.bigEndian == main.bigEndian ? part : nil }
        (self.main, self.photo, self.place) = (main, fitting(photo), fitting(place))
    }
}
