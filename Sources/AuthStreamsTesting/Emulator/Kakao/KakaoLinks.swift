import Foundation

/// The links between people and apps at Kakao, with their start, and whether the app has looked the person up.
struct KakaoLinks {
    private struct Person: Hashable {
        let app: Int64
        let userID: String
    }
    private struct Link {
        let since: Date
        var isLookedUp = false
    }
    private var links: [Person: Link] = [:]

    /// Links a person to an app at their first log-in. A further log-in changes nothing.
    mutating func logIn(_ userID: String, to app: Int64, at now: Date) {
        let person = Person(app: app, userID: userID)
        links[person] = links[person] ?? Link(since: now)
    }

    /// Records that a user API has succeeded for a person.
    mutating func lookUp(_ userID: String, by app: Int64) {
        links[Person(app: app, userID: userID)]?.isLookedUp = true
    }

    mutating func unlink(_ userID: String, from app: Int64) { links[Person(app: app, userID: userID)] = nil }

    /// Returns the date of a person's first log-in; `nil` for one who is not linked.
    func since(_ userID: String, with app: Int64) -> Date? { links[Person(app: app, userID: userID)]?.since }

    /// Returns the people of an app whose first log-in was before that date and whom the app has not looked up since.
    func incomplete(of app: Int64, before moment: Date) -> [String] {
        links.filter { $0.key.app == app && $0.value.since < moment && !$0.value.isLookedUp }.map(\.key.userID).sorted()
    }
}
