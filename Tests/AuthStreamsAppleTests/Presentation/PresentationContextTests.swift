import AuthStreams
import Foundation
import TestSupport
import Testing
import UIKit

@testable import AuthStreamsApple

@Suite(.appleDevice) @MainActor struct PresentationContextTests {
    private func failure(_ context: PresentationContext, in bundle: Bundle = .main) -> AuthError? {
        do throws(AuthError) {
            _ = try context.resolved(in: bundle)
            return nil
        } catch { return error }
    }

    @Test func automaticIsTheKeyWindowOfTheActiveScene() throws {
        AppleDevice.App.connect(.background)
        AppleDevice.App.connect(.foregroundInactive)
        let scene = AppleDevice.App.connect(.foregroundActive)
        AppleDevice.App.connect(.foregroundActive, role: .windowExternalDisplayNonInteractive)
        let other = UIWindow(windowScene: scene)
        #expect(try PresentationContext.automatic.resolved() === scene.keyWindow)
        #expect(try PresentationContext.automatic.resolved() !== other)
    }

    @Test(arguments: [0, 1]) func ofSeveralActiveScenesTheFrontmostIsTaken(index: Int) throws {
        let scenes = [AppleDevice.App.connect(), AppleDevice.App.connect()]
        // The person touches it: it becomes frontmost, and the other one stays active.
        AppleDevice.App.move(scenes[index], to: .foregroundInactive)
        AppleDevice.App.move(scenes[index], to: .foregroundActive)
        #expect(scenes.allSatisfy { $0.activationState == .foregroundActive })
        #expect(try PresentationContext.automatic.resolved() === scenes[index].keyWindow)
    }

    @Test func activeSceneIsTakenBeforeTheFrontmostOneThatIsNotActive() throws {
        let (scene, frontmost) = (AppleDevice.App.connect(), AppleDevice.App.connect())
        AppleDevice.App.move(frontmost, to: .foregroundInactive)
        #expect(frontmost.traitCollection.activeAppearance == .active)
        #expect(try PresentationContext.automatic.resolved() === scene.keyWindow)
    }

    /// Another app has just opened this one: its URL comes before the scene is active.
    @Test func sceneAboutToBecomeActiveIsTaken() throws {
        let window = try #require(AppleDevice.App.connect(.foregroundInactive).keyWindow)
        #expect(try PresentationContext.automatic.resolved() === window)
        #expect(try PresentationContext.in(window).resolved() === window)
    }

    @Test func sceneWithoutWindowsIsPassedOver() throws {
        let scene = AppleDevice.App.connect()
        AppleDevice.App.connect(hasWindow: false)
        #expect(try PresentationContext.automatic.resolved() === scene.keyWindow)
    }

    @Test func automaticFailsWithTheReason() {
        #expect(failure(.automatic) == PresentationFailure.noSceneInForeground.error)
        AppleDevice.App.connect(.background)
        #expect(failure(.automatic) == PresentationFailure.noSceneInForeground.error)
        AppleDevice.App.connect(hasWindow: false)
        #expect(failure(.automatic) == PresentationFailure.noKeyWindow.error)
    }

    @Test func extensionHasNoAutomaticWindow() throws {
        let window = try #require(AppleDevice.App.connect().keyWindow)
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).appex")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let bundle = try #require(Bundle(url: folder))
        #expect(failure(.automatic, in: bundle) == PresentationFailure.appExtension.error)
        #expect(try PresentationContext.in(window).resolved(in: bundle) === window)
        AppleDevice.App.isExtension = true
        #expect(failure(.automatic) == PresentationFailure.appExtension.error)
    }

    @Test func givenWindowIsTakenAlsoOfASceneThatIsNotFrontmost() throws {
        let window = try #require(AppleDevice.App.connect().keyWindow)
        AppleDevice.App.connect()
        #expect(try PresentationContext.in(window).resolved() === window)
    }

    @Test func windowThatWentAwayFailsBesideAnActiveScene() throws {
        AppleDevice.App.connect()
        let scene = AppleDevice.App.connect()
        let window = try #require(scene.keyWindow)
        let context = PresentationContext.in(window)
        AppleDevice.App.move(scene, to: .background)
        #expect(failure(context) == PresentationFailure.sceneInBackground.error)
        AppleDevice.App.disconnect(scene)
        #expect(failure(context) == PresentationFailure.windowHasNoScene.error)
        #expect(failure(.in(UIWindow())) == PresentationFailure.windowIsGone.error)
        #expect(failure(.in(self.other)) == PresentationFailure.notAWindow.error)
    }

    private let other = UIViewController()

    @Test func everyReasonSaysSomethingElse() {
        let errors = PresentationFailure.allCases.map(\.error)
        #expect(Set(errors.map(\.explanation)).count == errors.count)
        #expect(errors.allSatisfy { $0.code == .presentationUnavailable && !$0.isUserCancellation })
    }
}
