/// What must hold in every schedule.
enum Promise: String, CaseIterable, Sendable {
    /// Only the person, the server's definite no or another process ends a session.
    case noSignOutWithoutReason = "no sign-out without the server's definite no"
    /// A session stays in the store until it ends, and is found there by the next launch.
    case nothingIsLost = "a session stays stored until it ends"
    /// What ended stays ended: nobody is signed in who did not sign in.
    case nobodyComesBack = "nobody is signed in by what is over"
    /// An access token is handed only to who asked for that user's.
    case tokensKeepToTheirUser = "no token of one user is given to another"
    /// A refresh token is not sent again once an answer was read that replaces or refuses it.
    case noTokenIsSentAgain = "no refresh token is sent again after its answer was read"
    /// A refresh token is not under way twice.
    case noTokenIsSentByTwo = "no refresh token is sent by two at once"
    /// What is handed out has been stored, unless the store failed.
    case storedBeforeHandedOut = "new tokens are stored before they are handed out"
    /// Where the answer was lost and the server refused the repetition, that is what is told.
    case interruptionIsTold = "a refresh that was cut off is told from a session that had been over"
    /// Every stream and every call ends, with one result.
    case oneResult = "every stream ends with exactly one result"
    /// Readers see every state, in order, the present one last.
    case readersSeeTheState = "the state that readers saw last is the state"
    /// At rest and with a healthy server a session that is signed in works.
    case itWorksAgain = "at rest, a session that is signed in works"
    /// At rest the store holds who is signed in.
    case storeAgrees = "at rest, the store holds who is signed in"
    /// Nothing is left when the service is let go of.
    case nothingLeaks = "nothing is leaked"
    /// Everything stays on the schedule's thread, and comes to rest.
    case staysOnSchedule = "everything stays on the schedule, and comes to rest"
}

/// A promise that was broken, and how.
struct Finding: Error, Hashable, Sendable, CustomStringConvertible {
    let promise: Promise
    let explanation: String

    var description: String { "\(promise.rawValue): \(explanation)" }
}
