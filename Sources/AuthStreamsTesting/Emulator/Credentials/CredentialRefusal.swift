/// Why a server does not believe a provider's credential, for engineers; never with anything of the credential in it.
enum CredentialRefusal: Error {
    /// What the provider's credential needs is not there.
    case malformed(String)
    /// The credential is expired, used, forged, or was made for another app.
    case refused(String)
    /// The ID token's nonce is not the attempt's.
    case nonce(String)
    /// The provider did not answer.
    case unavailable(String)
}
