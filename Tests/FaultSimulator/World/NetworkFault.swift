/// What may become of one request.
enum NetworkFault: CaseIterable {
    /// It never reaches the server.
    case lostRequest
    /// It is carried out, and its answer is lost.
    case lostAnswer
    /// It is carried out, and its answer takes longer than any caller waits.
    case lateAnswer
    /// It is carried out, and its answer ends in the middle.
    case truncatedAnswer
    /// It reaches the server twice, and the second answer is the one that comes.
    case twice
    /// The server fails, before it does anything.
    case failure
    /// The server does it, and fails after it.
    case failureAfterwards
    /// The server wants fewer requests.
    case rateLimit
    /// A page comes from something between.
    case page
    /// A refresh is carried out and answered with another user; any other request succeeds.
    case anotherUser
    /// A refresh is answered as only a sign-in should be, before the server does anything; anything else fails.
    case invalidCredential

    /// Draws one; `nil` where all goes well.
    init?(_ chance: inout Chance, oneIn times: Int) {
        guard chance.oneIn(times) else { return nil }
        self = Self.allCases[chance.below(Self.allCases.count)]
    }

    /// Whether the server hears of the request.
    var reachesServer: Bool {
        switch self {
        case .lostAnswer, .lateAnswer, .truncatedAnswer, .twice, .failureAfterwards, .anotherUser: true
        case .lostRequest, .failure, .rateLimit, .page, .invalidCredential: false
        }
    }
}
