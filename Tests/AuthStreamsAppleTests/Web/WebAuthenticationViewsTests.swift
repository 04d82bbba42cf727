import AuthenticationServices
import Foundation
import Testing

@testable import AuthStreamsApple

/// Which view's session a user agent uses.
@MainActor struct WebAuthenticationViewsTests {
    private let views = WebAuthenticationViews()
    private let list = UUID()
    private let detail = UUID()

    private func appear(_ view: UUID, _ session: String) {
        views.appeared(view, with: WebAuthenticationSession(session))
    }

    @Test func noViewLendsASessionAtFirst() { #expect(views.current == nil) }

    @Test func viewThatAppearedLastIsUsed() {
        appear(list, "list")
        #expect(views.current?.name == "list")
        appear(detail, "detail")
        #expect(views.current?.name == "detail")
        // It appears again, over the other one.
        appear(list, "list again")
        #expect(views.current?.name == "list again")
    }

    @Test func viewThatDisappearedLendsNothing() {
        appear(list, "list")
        appear(detail, "detail")
        views.disappeared(detail)
        #expect(views.current?.name == "list", "It is still shown.")
        views.disappeared(list)
        #expect(views.current == nil)
        views.disappeared(list)
        #expect(views.current == nil)
    }

    /// When a view replaces another, SwiftUI may report the new one first.
    @Test func viewThatDisappearsLateTakesNoOtherAway() {
        appear(list, "list")
        appear(detail, "detail")
        views.disappeared(list)
        #expect(views.current?.name == "detail")
    }
}
