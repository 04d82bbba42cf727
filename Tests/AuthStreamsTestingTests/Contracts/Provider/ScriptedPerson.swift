import AuthStreams
import AuthStreamsTesting

/// A scripted provider with that person in front of it.
///
/// - Parameter preparation: What it does before it asks the person.
func scriptedProvider(
    _ person: AuthProviderContract.Person, _ witness: ContractRecorder,
    preparation: @escaping @Sendable () async throws -> Void = {}
) -> ScriptedProvider {
    ScriptedProvider("scripted", methodKinds: [.app, .web]) { request in
        try await preparation()
        await witness.contact(by: request.methodKind ?? .app)
        try Task.checkCancellation()
        let code: AuthError.Code
        switch person {
        case .approves:
            return try await ScriptedProvider("scripted", methodKinds: [.app, .web]).authenticate(request).value
        case .refuses: code = .accessDenied
        case .turnsBack: code = .cancelled
        case .neverAnswers:
            _ = await Promise<Never>().value()
            throw CancellationError()
        }
        return try await ScriptedProvider.failing("scripted", with: code).authenticate().value
    }
}
