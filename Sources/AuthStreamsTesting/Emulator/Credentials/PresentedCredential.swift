/// What an app handed to a server, before anybody believed it.
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
