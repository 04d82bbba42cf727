/// Why a server does not accept the answer of a passkey.
package enum PasskeyRefusal: String, Error, Hashable, Sendable, CaseIterable {
    // The client data.
    case clientData = "The client data are no JSON with a type, a challenge and an origin."
    case type = "The client data are of another kind of request."
    case challenge = "The challenge is another one."
    case origin = "The origin is not one of the server's."
    case crossOrigin = "The request came from a frame of another origin."
    case topOrigin = "The outermost page is of an origin that may not have frames of the server."

    // The authenticator data.
    case authenticatorData = "The authenticator data cannot be read."
    case rpID = "The passkey belongs to another domain."
    case userNotPresent = "No person was present."
    case userNotVerified = "The person was not verified."
    case backupFlags = "The passkey is in a backup without being eligible for one."
    case backupEligibility = "The passkey's eligibility for a backup has changed."

    // A registration.
    case attestationObject = "The attestation object cannot be read."
    case algorithm = "The algorithm is not one that the server offered."
    case unsupportedKey = "The public key cannot be used."
    case attestationFormat = "The statement about the authenticator is in a form other than `none`."
    case attestationStatement = "A statement in the form `none` is not empty."
    case credentialID = "The identifier is not that of the passkey in the attestation object."
    case copies = "A copy of what is in the attestation object differs from it."
    case knownPasskey = "The passkey is already registered."

    // A sign-in.
    case notAllowed = "The passkey is not one of those that the server asked for."
    case unknownPasskey = "The passkey is not registered."
    case user = "The passkey belongs to another account."
    case noUserHandle = "The answer does not name the account."
    case signature = "The signature is wrong."
    case counter = "The counter has not risen: there may be a copy of the passkey."
}
