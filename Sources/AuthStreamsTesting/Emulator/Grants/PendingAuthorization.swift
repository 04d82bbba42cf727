/// An authorization request that was checked and now waits for a person to answer its page.
struct PendingAuthorization: Sendable {
    let issuer: Grant.Issuer
    let clientID: String
    let redirectURI: String
    var scopes: Set<String> = []
    var state: String?
    var nonce: String?
    var challenge: Grant.Challenge?
    /// Apple: whether an ID token is to come beside the code.
    var wantsIDToken = false
    /// Apple: whether the answer is posted, put in the query or in the fragment.
    var responseMode = ResponseMode.query

    enum ResponseMode: String {
        case query
        case fragment
        case formPost = "form_post"
    }
}
