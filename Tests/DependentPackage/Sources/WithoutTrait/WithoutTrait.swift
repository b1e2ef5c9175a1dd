import CalotypeGTK

@MainActor
func makeWidget() -> RemotePicture {
    RemotePicture(style: PictureStyle(fit: .cover))
}
