import AuthStreams

// What the article 'Delete an account the way App Review wants it' shows is between the marks.

private func delete(_ auth: AuthService, show: (String) -> Void) async {
    // DeleteAnAccount: delete
    do throws(AuthError) {
        try await auth.deleteAccount().value
        show("Your account is deleted.")
    } catch {
        error.errorDescription.map(show)  // nil: the person turned back
    }
    // DeleteAnAccount end
}

private func deleteAtKakao(_ auth: AuthService) async throws {
    // DeleteAnAccount: at Kakao
    try await auth.deleteAccount(with: .kakao, using: .web).value
    // DeleteAnAccount end
}

private func pending(_ auth: AuthService, offerToFinishDeletion: () -> Void) async {
    // DeleteAnAccount: pending
    if await auth.pendingDeletion != nil { offerToFinishDeletion() }
    // DeleteAnAccount end
}
