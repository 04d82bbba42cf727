/// An authorization request that was checked and waits for a person's answer.
struct PendingAuthorization: Sendable {
    let issuer: Grant.Issuer
    let clientID: String
    let redirectURI: String
    var scopes: Set<String> = []
    var state: String?
    var nonce: String?
    var challenge: Grant.Challenge?
    /// Apple: whether the answer has an ID token beside the code.
    var wantsIDToken = false
    /// Apple: whether the answer is posted, put in the query or in the fragment.
    var responseMode = ResponseMode.query

    enum ResponseMode: String {
        case query
        case fragment
        case formPost = "form_post"
    }
}
