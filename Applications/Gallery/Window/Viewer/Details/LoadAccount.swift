import Calotype

/// The loading of the shown image, for the details.
struct LoadAccount {
    /// The nearest layer that had the image when the viewer showed it.
    let origin: ImageResponse.Origin?
    /// The request that decoded the image, which may have been a prefetch.
    let work: LoadEntry?

    var lines: [ImageFacts.Line] {
        guard let origin else { return [ImageFacts.Line(title: ViewerTexts.source, text: ViewerTexts.notLoaded)] }
        var lines = [ImageFacts.Line(title: ViewerTexts.source, text: ViewerTexts.name(of: origin))]
        guard let work else { return lines }
        if origin == .memory, let first = work.metrics.origin {
            lines.append(ImageFacts.Line(title: ViewerTexts.firstLoaded, text: ViewerTexts.name(of: first)))
        }
        let times: [(String, Duration?)] = [
            (ViewerTexts.total, work.duration), (ViewerTexts.download, work.metrics.loading),
            (ViewerTexts.decode, work.metrics.processing),
        ]
        for case (let title, let time?) in times {
            lines.append(ImageFacts.Line(title: title, text: Amount.duration(time)))
        }
        return lines
    }
}
