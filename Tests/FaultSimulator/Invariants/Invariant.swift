/// What must hold in every schedule.
enum Invariant: String, CaseIterable, Sendable {
    /// A sign-in that failed was never stored, nor shown.
    case failureLeavesNothing = "a failed sign-in leaves no session"
    /// A profile that a provider sends once is on the disk until the server has it, and is sent with the next sign-in.
    case profileIsKept = "a profile that a provider sends once is kept until the server has it"
    /// The result of a sign-in says whether the server has just made the user.
    case newUserIsTold = "a new user is reported as new, and no other is"
    /// An access token that is handed out is valid for long enough to use it.
    case tokenIsGood = "a token that is handed out is valid for its leeway"
    /// The next access token is requested before the present one expires.
    case refreshIsAhead = "the next token is there before the last expires"
    /// After a failure no request is sent for a while, and for as long as the server asks.
    case backsOff = "a failing server gets no request for a while"
    /// A token that was just replaced is not replaced again for callers that had waited.
    case oneRequestForACrowd = "one request serves all callers"
    /// The server is told of sessions that came too late, and of those that the person signed out of.
    case serverIsTold = "the server is told of sessions that are over"
    /// The events agree with the states.
    case eventsFitTheStates = "the events fit the states"
    /// A pending token is spent by an accepted answer, and by the end of its attempt.
    case pendingTokenIsSentOnce = "no pending token is sent after its answer was accepted or its attempt ended"
    /// What the person enters is sent once: the server counts it.
    case oneAnswerPerPrompt = "an answer is sent at most once per prompt, and a prompt that is over takes none"
    /// The person is asked one thing at a time, by the newest attempt.
    case onePromptAtATime = "one prompt is open at a time, that of the newest attempt that asks"
    /// A prompt leaves the screen with its attempt.
    case noPromptWithoutAttempt = "no prompt is shown whose attempt is over"
    /// A prompt that is not answered ends at its expiry, or a second after the last view that shows prompts has gone.
    case promptEndsInTime = "a prompt that is not answered or not presented ends in time"
    /// The presenter that came last shows the prompt, and no other does.
    case presenterSeesThePrompt = "the presenter that came last shows the prompt"
    /// An attempt that asked is cancelled only by the person or its caller, and ends for want of a presenter only without one.
    case endFitsPrompt = "an attempt that asked ends as the person, the time or the server says"
    /// Between the requests of a change, while the person is asked, tokens can be refreshed.
    case refreshWaitsForNoPerson = "no call for a token waits for a person"
    /// Every call ends, with any faults.
    case endsInTime = "every call ends in bounded time"
    /// A caller that learns that the session is over finds it over.
    case endIsTrue = "a session that is reported as over is not shown any more"
    /// A caller that learns that the session is over can rely on it, even if the process ends then.
    case refusalIsStored = "a session that is reported as over is not stored"
    /// Signing out another session of the user who is signed in might end the present one.
    case presentUserIsNotGivenBack = "no session of the present user is signed out at the server"
    /// A refresh is cut off when its session is over.
    case refreshEndsWithSession = "a refresh ends with its session"
    /// Only the person, a terminal rejection by the server or another process ends a session.
    case noSignOutWithoutReason = "no sign-out without a terminal rejection"
    /// A session stays in the store until it ends, and is found there by the next launch.
    case nothingIsLost = "a session stays stored until it ends"
    /// A session that ended stays ended: no user is signed in without a sign-in.
    case noUserComesBack = "no user is signed in by a session that is over"
    /// A session is known by one name, in every record and process.
    case sessionsKeepTheirNames = "a session keeps its name"
    /// A record says at least what the one before says of sessions that ended.
    case historyStays = "a record remembers the sessions that ended"
    /// An access token is handed out only to a caller that acts for its user.
    case tokensKeepToTheirUser = "no token of one user is given to another"
    /// A request that acts for a user is sent with a token of the user for whom it began.
    case nothingIsDoneToAnother = "an operation that began for one user is applied to no other"
    /// An access token goes to the app's own servers and nowhere else.
    case bearerStaysHome = "an access token goes to no other server"
    /// A link, an unlink or a proof does not change the user.
    case userStays = "a change of the account keeps the user"
    /// A user keeps at least one way to sign in.
    case lastWayInStays = "the last identity is never removed"
    /// A deletion is reported where the account is deleted, and nowhere else.
    case deletionIsTrue = "a deletion is reported only of a deleted account"
    /// The app's access at the provider is revoked before the account is deleted.
    case deletionIsInOrder = "access at the provider is revoked before the account is deleted"
    /// The note of a deletion is removed with it.
    case deletionLeavesNoNote = "a finished deletion leaves no note"
    /// A reported end of all sessions of a user is true.
    case everywhereIsTrue = "a sign-out everywhere ends every session"
    /// A session of another SDK is stored before it is used, and discarded there only when it is stored here or over.
    case adoptionLosesNothing = "a session of another SDK is kept until it is over"
    /// A refresh token is not sent again once an answer was read that replaces or refuses it.
    case noTokenIsSentAgain = "no refresh token is sent again after its answer was read"
    case refreshIsMarked = "a single-use refresh token is marked in its record before it is sent"
    /// With the mark of a request that was not sent, a session that is over would be reported as interrupted.
    case markIsTrue = "a token that is marked as sent is about to be sent, or was"
    /// A process that lost its lock lets another one send the token.
    case lostLockSendsNothing = "no single-use refresh token is sent without the lock"
    /// A refresh token is not under way twice.
    case noTokenIsSentByTwo = "no refresh token is sent by two at once"
    /// Tokens that are handed out have been stored, unless the store failed.
    case storedBeforeHandedOut = "new tokens are stored before they are handed out"
    /// If the answer was lost and the server refused the repetition, that is reported.
    case interruptionIsTold = "an interrupted refresh is not reported as a session that had been over"
    /// Every stream and every call ends, with one result.
    case oneResult = "every stream ends with exactly one result"
    /// Readers see every state, in order, the present one last.
    case readersSeeTheState = "the state that readers saw last is the state"
    /// At rest and with a healthy server a session that is signed in works.
    case itWorksAgain = "at rest, a session that is signed in works"
    /// At rest the store holds the user who is signed in.
    case storeAgrees = "at rest, the store holds the user who is signed in"
    /// At rest and with a healthy server no process requests one token after the other.
    case refreshesAreRare = "at rest, no process refreshes repeatedly"
    /// Nothing is left when the service is released.
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
