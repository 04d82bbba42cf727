import Accessibility
import AppleFoundation
import TestSupport
import Testing

@Suite(.appleDevice) struct AccessibilityTests {
    @Test func announcementsAreHeardInTheirOrder() {
        AccessibilityNotification.Announcement("The code is wrong.").post()
        let second = AccessibilityNotification.Announcement("A new code was sent.")
        #expect(AppleDevice.Accessibility.announcements == ["The code is wrong."])
        second.post()
        #expect(AppleDevice.Accessibility.announcements == ["The code is wrong.", "A new code was sent."])
    }

    @MainActor @Test func deviceThatIsResetHasHeardNothing() {
        AccessibilityNotification.Announcement("The code is wrong.").post()
        AppleDevice.reset()
        #expect(AppleDevice.Accessibility.announcements.isEmpty)
    }
}
