/// A provider whose person agrees at once, or whose attempts all fail.
struct PreviewProvider: AuthProvider {
    let id: ProviderID
    let failure: AuthError?

    func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        AuthStream { () async throws(AuthError) in
            if let failure { throw failure }
            return Credential(provider: id, idToken: Secret("preview"), userID: AuthPreview.user.id)
        }
    }
}
