import AuthStreams
import AuthStreamsFirebase

/// The fields of a call of `socialLogin` or the revocation function, by the names of the function's format.
struct SocialFields {
    let provider: ProviderID
    let credential: PresentedCredential
    /// The requested operation; `nil` for a sign-in.
    let action: SocialLoginFunction.Format.Action?

    private static let providers: [ProviderID] = [.kakao, .naver, .apple, .google]

    /// Reads a call that the functions framework has accepted.
    ///
    /// - Throws: `failedPrecondition` for an app that the project does not admit; `invalidArgument` for data that is
    ///   not an object, a field that the function does not read, a value that is not a string, or an unknown provider.
    ///   The error names only fields of the format.
    init(_ call: CallableRequest, of request: EmulatorRequest, in context: EmulatorContext) throws(CallableError) {
        let format = context.configuration.firebase.functionFormat
        guard AppRestrictions(of: request, in: context).allowsBundleID else {
            throw CallableError(.failedPrecondition, "The call does not come from an app of this project.")
        }
        guard let members = call.data.object, Set(members.keys).isSubset(of: format.fieldNames) else {
            throw CallableError(
                .invalidArgument, "The data has to be an object of: \(format.fieldNames.joined(separator: ", ")).")
        }
        func read(_ field: String?) throws(CallableError) -> String? {
            guard let field, let value = try call.string(field) else { return nil }
            // A format may have names that do not identify a secret.
            context.note(field, value, host: request.host)
            return value
        }
        credential = PresentedCredential(
            idToken: try read(format.idToken), nonce: try read(format.nonce), accessToken: try read(format.accessToken),
            code: try read(format.code), state: try read(format.state), redirectURI: try read(format.redirectURI))
        action = try Self.action(in: call, format)
        _ = try format.codeVerifier.flatMap { (name) throws(CallableError) in try call.string(name) }
        guard let field = format.provider else {
            // Without a provider field, the function infers the provider from the proof.
            provider = credential.code == nil ? .kakao : .naver
            return
        }
        let name = try call.string(field)
        guard let provider = Self.providers.first(where: { format.name(of: $0) == name }) else {
            throw CallableError(.invalidArgument, "'\(field)' must be the name of a provider of this function.")
        }
        self.provider = provider
    }

    private static func action(
        in call: CallableRequest, _ format: SocialLoginFunction.Format
    ) throws(CallableError) -> SocialLoginFunction.Format.Action? {
        guard let field = format.action, let name = try call.string(field) else { return nil }
        guard let action = SocialLoginFunction.Format.Action(rawValue: name) else {
            throw CallableError(.invalidArgument, "'\(field)' must be 'link', 'unlink', 'reauthenticate' or absent.")
        }
        return action
    }
}
