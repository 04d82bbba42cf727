/// A provider whose attempts all succeed at once, or all fail.
struct PreviewProvider: AuthProvider {
    let id: ProviderID
    let failure: AuthError?

    /// Those of the library's provider with that identifier, so that a button may name one.
    var methodKinds: [SignInMethod.Kind] {
        switch id {
        case .apple: [.sheet, .web]
        case .google: [.web]
        case .kakao, .naver: [.app, .web]
        default: [.standard]
        }
    }

    func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        AuthStream { () async throws(AuthError) in
            try requireMethodKind(of: request)
            if let failure { throw failure }
            return Credential(provider: id, idToken: Secret("preview"), userID: AuthPreview.user.id, isBound: true)
        }
    }
}
