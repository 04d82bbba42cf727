import AppleFoundation
import AuthStreams
import AuthenticationServices
import Foundation
import TestSupport
import Testing
import notify

@Suite(.appleDevice) struct AppleDeviceTests {
    @Test func reportOfAHangMarksTheTestThatHasTheDevice() throws {
        let test = try #require(Test.current)
        #expect(LimitedParallelization.admittedTests.contains(String(describing: test.id)))
    }

    @Test func expiringActivityIsToldASecondTime() async {
        let (told, release) = (Calls(), DispatchSemaphore(value: 0))
        ProcessInfo.processInfo.performExpiringActivity(withReason: "lease") { isExpired in
            told.add()
            if isExpired { release.signal() } else { release.wait() }
        }
        #expect(await told.next() == .elsewhere)
        #expect(AppleDevice.expiringActivities == ["lease"])
        AppleDevice.expireActivities()
        #expect(told.count == 2)
    }

    @Test func expiringActivityIsRefused() async {
        AppleDevice.refusesExpiringActivities = true
        let isExpired = await withCheckedContinuation { told in
            ProcessInfo.processInfo.performExpiringActivity(withReason: "lease") { told.resume(returning: $0) }
        }
        #expect(isExpired)
    }

    @Test func expiringActivityIsGrantedLate() async {
        AppleDevice.delaysExpiringActivities = true
        let told = Calls()
        ProcessInfo.processInfo.performExpiringActivity(withReason: "lease") { _ in told.add() }
        #expect(AppleDevice.delayedActivities == ["lease"] && AppleDevice.expiringActivities.isEmpty)
        AppleDevice.grantDelayedActivities()
        #expect(await told.next() == .elsewhere)
        #expect(told.count == 1 && AppleDevice.delayedActivities.isEmpty)
    }

    @Test func appGroupNeedsItsEntitlement() {
        let container = URL(fileURLWithPath: "/container")
        #expect(FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.a") == nil)
        AppleDevice.appGroups = ["group.a": container]
        #expect(FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.a") == container)
    }

    @Test func suspendedProcessHearsOfEachNotificationOnce() async {
        let heard = Calls()
        var token: Int32 = 0
        let queue = DispatchQueue(label: "notify")
        #expect(notify_register_dispatch("name", &token, queue) { _ in heard.add() } == UInt32(NOTIFY_STATUS_OK))
        notify_post("other")
        notify_post("name")
        #expect(await heard.next() == .elsewhere)
        AppleDevice.Notifications.suspend()
        notify_post("name")
        notify_post("name")
        queue.sync {}
        #expect(heard.count == 1)
        AppleDevice.Notifications.resume()
        queue.sync {}
        #expect(heard.count == 2)
        #expect(notify_cancel(token) == UInt32(NOTIFY_STATUS_OK))
        notify_post("name")
        queue.sync {}
        #expect(heard.count == 2)
        AppleDevice.Notifications.isRefused = true
        #expect(notify_register_dispatch("name", &token, queue) { _ in } == UInt32(NOTIFY_STATUS_FAILED))
    }

    /// With stubs in Swift 6 mode, the closure would run on the other queue unnoticed.
    @Test(.limitedParallelization) func closureOfTheMainActorTrapsOnAnotherQueue() async {
        await #expect(processExitsWith: .failure) { try await endSheet(on: .elsewhere) }
        await #expect(processExitsWith: .success) { try await endSheet(on: .main) }
    }
}

/// Ends a sheet whose completion handler is isolated to the main actor.
@MainActor private func endSheet(on delivery: AppleDevice.Delivery) async throws {
    final class Context: NSObject, ASWebAuthenticationPresentationContextProviding {
        let window = AppleDevice.App.connect().keyWindow ?? UIWindow()
        func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { window }
    }
    let (context, calls) = (Context(), Calls())
    var count = 0
    let page = URL(literal: "https://issuer.example/authorize")
    let session = ASWebAuthenticationSession(url: page, callback: .customScheme("app")) { _, _ in
        count += 1
        calls.add()
    }
    session.presentationContextProvider = context
    #expect(session.start())
    await AppleDevice.WebAuthentication.nextSheet().close(on: delivery)
    _ = await calls.next()
    #expect(count == 1)
}
