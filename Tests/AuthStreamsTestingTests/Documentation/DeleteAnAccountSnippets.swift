import AuthStreams

// What the article 'Delete an account the way App Review wants it' shows is between the marks.

private func delete(_ auth: AuthService, show: (String) -> Void) async {
    // DeleteAnAccount: delete
    for await result in auth.deleteAccount() {
        switch result {
        case .success: show("Your account is deleted.")
        case .failure(let error): error.errorDescription.map(show)  // nil: the person turned back
        }
    }
    // DeleteAnAccount end
}

private func deleteAtKakao(_ auth: AuthService, handle: (Result<Void, AuthError>) -> Void) async {
    // DeleteAnAccount: at Kakao
    for await result in auth.deleteAccount(with: .kakao, using: .web) { handle(result) }
    // DeleteAnAccount end
}

private func pending(_ auth: AuthService, offerToFinishDeletion: () -> Void) async {
    // DeleteAnAccount: pending
    if await auth.pendingDeletion != nil { offerToFinishDeletion() }
    // DeleteAnAccount end
}
