/// Why a server refuses a provider's credential, for engineers. Never contains a part of the credential.
enum CredentialRefusal: Error {
    /// A required part of the credential is missing.
    case malformed(String)
    /// The credential is expired, used, forged, or was issued for another app.
    case refused(String)
    /// The ID token's nonce is not the attempt's.
    case nonce(String)
    /// The provider did not answer.
    case unavailable(String)
}
