import Calotype
import Foundation
import Requirements
import Testing

/// S2.17: the messages of a photo library's errors, on every platform.
@Suite struct PhotoKitServiceErrorTests {
    private let missing = PhotoKitServiceError.missingData
    private let notFound = PhotoKitServiceError.phAssetNotFound(localIdentifier: "7")

    @Test(.requirement("S2.17")) func `two codes and a domain, for NSError too`() {
        #expect(missing.errorCode == 0)
        #expect(notFound.errorCode == 1)
        #expect(PhotoKitServiceError.errorDomain == "PhotoKitService")
        #expect((notFound as NSError).code == 1)
        #expect((notFound as NSError).domain == "PhotoKitService")
    }

    @Test(.requirement("S2.17")) func `three texts each`() {
        #expect(missing.errorDescription == "The asset could not be loaded.")
        #expect(
            missing.failureReason
                == "The asset data could not be fetched. Maybe you are not connected to the internet.")
        #expect(missing.recoverySuggestion == "Check your internet connection or try again later.")
        #expect(notFound.errorDescription == "A PHAsset with the identifier 7 was not found.")
        #expect(notFound.failureReason == "An asset with the identifier 7 doesn't exist anymore.")
        #expect(notFound.recoverySuggestion == nil)
        #expect(notFound.localizedDescription == notFound.errorDescription)
        #expect((missing as NSError).localizedRecoverySuggestion == missing.recoverySuggestion)
    }

    @Test(.requirement("S2.17")) func `a source that throws it fails with it`() async {
        let source = ImageSource.custom(id: "photo asset 7") { [notFound] in throw notFound }
        let error = await imageError { try await ImageLoader(.ephemeral).fetch(ImageRequest(source: source)) }
        #expect(error?.code == .sourceFailed)
        #expect(error?.underlying as? PhotoKitServiceError == notFound)
    }
}
