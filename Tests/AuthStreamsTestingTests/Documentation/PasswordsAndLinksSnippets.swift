import AuthStreams
import AuthStreamsOAuth
import Foundation

// What the article 'Passwords and links' shows is between the marks, in functions that supply what it leaves out.

private func password(_ auth: AuthService, _ email: String, _ password: String) async throws -> [AuthUser] {
    // PasswordsAndLinks: password
    let user = try await auth.signIn(credential: .password(email: email, password)).value.user
    let newUser = try await auth.signUp(credential: .password(email: email, password)).value.user
    // PasswordsAndLinks end
    return [user, newUser]
}

private func prompt(_ repository: AuthRepositoryFactory, _ platform: AuthPlatform) async throws -> AuthUser {
    // PasswordsAndLinks: prompt
    let auth = AuthService(repository, providers: [.password, .kakao(nativeAppKey: "0123abcd")], platform: platform)
    let user = try await auth.signIn(with: .password).value.user
    // PasswordsAndLinks end
    return user
}

private func account(_ auth: AuthService, _ email: String, _ newPassword: String) async throws -> AuthUser {
    // PasswordsAndLinks: account
    try await auth.sendPasswordReset(to: email)
    try await auth.sendEmailVerification()
    let user = try await auth.changePassword(to: newPassword).value
    // PasswordsAndLinks end
    return user
}

private func code(_ auth: AuthService) async throws -> AuthUser {
    // PasswordsAndLinks: code
    let user = try await auth.signIn(credential: .code(to: "+82 10 1234 5678")).value.user
    // PasswordsAndLinks end
    return user
}

private func link(
    _ repository: AuthRepositoryFactory, _ platform: AuthPlatform, _ continueURL: URL, _ email: String
) async throws -> AuthUser {
    // PasswordsAndLinks: link
    let auth = AuthService(repository, providers: [.emailLink(continueURL: continueURL)], platform: platform)
    let user = try await auth.signIn(with: .emailLink, AuthRequest(loginHint: email)).value.user
    // PasswordsAndLinks end
    return user
}

private func factor(_ auth: AuthService) async throws -> AuthUser {
    // PasswordsAndLinks: factor
    let user = try await auth.enrollSecondFactor(named: "My phone").value  // shows a prompt with the secret
    let factors = try await auth.secondFactors()
    for factor in factors { _ = try await auth.removeSecondFactor(factor.id).value }
    // PasswordsAndLinks end
    return user
}
