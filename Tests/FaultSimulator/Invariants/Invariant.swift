/// What must hold in every schedule.
enum Invariant: String, CaseIterable, Sendable {
    /// A sign-in that failed was never stored, nor shown.
    case failureLeavesNothing = "a sign-in that is told to have failed leaves no session"
    /// What a provider tells once is on the disk until the server has it, and goes with the next sign-in.
    case profileIsKept = "what a provider tells once is kept until the server has it"
    /// Whether the server made the user just now is told to who signs in.
    case newUserIsTold = "a new user is told from one who was there"
    /// An access token that is handed out is good for as long as it takes to use it.
    case tokenIsGood = "a token that is handed out is good for its leeway"
    /// The next access token is asked for before the present one is over.
    case refreshIsAhead = "the next token is there before the last is over"
    /// After a failure the server is left alone for a while, and for as long as it asks.
    case backsOff = "a server that fails is left alone for a while"
    /// A token that was just replaced is not replaced again because others had asked for it.
    case oneRequestForACrowd = "one request serves all who asked"
    /// What came too late, and what the person signed out of, is told to the server.
    case serverIsTold = "the server is told of sessions that are over"
    /// The events tell what the states show.
    case eventsFitTheStates = "the events fit the states"
    /// Whatever fails, every call ends.
    case endsInTime = "every call ends in bounded time"
    /// Who is told that the session is over can rely on it, even if the process ends then.
    case refusalIsStored = "a session that is told to be over is not stored"
    /// Giving back a session of who is signed in might end the one that they have.
    case nobodyIsGivenBack = "no session of who is signed in is given back"
    /// A refresh is cut off when its session is over.
    case refreshEndsWithSession = "a refresh ends with its session"
    /// Only the person, the server's definite no or another process ends a session.
    case noSignOutWithoutReason = "no sign-out without the server's definite no"
    /// A session stays in the store until it ends, and is found there by the next launch.
    case nothingIsLost = "a session stays stored until it ends"
    /// What ended stays ended: nobody is signed in who did not sign in.
    case nobodyComesBack = "nobody is signed in by what is over"
    /// An access token is handed only to who asked for that user's.
    case tokensKeepToTheirUser = "no token of one user is given to another"
    /// A request that acts for somebody is sent with the token of whom it was begun for.
    case nothingIsDoneToAnother = "what was begun for one user is done to nobody else"
    /// An access token goes to the app's own servers and nowhere else.
    case bearerStaysHome = "an access token goes to no other server"
    /// Who links, unlinks or proves something is the same user afterwards.
    case userStays = "a change of the account keeps the user"
    /// Nobody is left without a way in.
    case lastWayInStays = "the last identity is never taken away"
    /// A deletion is told where the account is gone, and nowhere else.
    case deletionIsTrue = "a deletion is told only of an account that is gone"
    /// What the app may do at the provider is withdrawn before the account is deleted.
    case deletionIsInOrder = "access at the provider is withdrawn before the account is deleted"
    /// The note of a deletion goes with it.
    case deletionLeavesNoNote = "a deletion that is done leaves no note of itself"
    /// Where it is said that all sessions of a user ended, they did.
    case everywhereIsTrue = "a sign-out everywhere ends every session"
    /// What another SDK left is stored before it is used, and forgotten there only when it is kept here or over.
    case adoptionLosesNothing = "what another SDK left is kept until it is over"
    /// A refresh token is not sent again once an answer was read that replaces or refuses it.
    case noTokenIsSentAgain = "no refresh token is sent again after its answer was read"
    case refreshIsNoted = "a refresh token that is used once is noted in its record before it is sent"
    /// A note of a request that was not sent would tell a session that is over as one that was cut off.
    case noteIsTrue = "what is noted as sent is about to be sent, or was"
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
    /// At rest and with a healthy server nobody asks for one token after the other.
    case refreshesAreRare = "at rest, nobody refreshes again and again"
    /// Nothing is left when the service is let go of.
    case nothingLeaks = "nothing is leaked"
    /// Everything stays on the schedule's thread, and comes to rest.
    case staysOnSchedule = "everything stays on the schedule, and comes to rest"
}

/// A promise that was broken, and how.
struct Finding: Error, Hashable, Sendable, CustomStringConvertible {
    let promise: Invariant
    let explanation: String

    var description: String { "\(promise.rawValue): \(explanation)" }
}
