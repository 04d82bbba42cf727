/// An app's credential before the server has verified it.
struct PresentedCredential {
    var idToken: String?
    /// The nonce before any hashing.
    var nonce: String?
    var accessToken: String?
    var code: String?
    var state: String?
    var redirectURI: String?
    /// Google's code for the server.
    var serverAuthCode: String?
}
