import AuthStreams
import AuthStreamsTesting
import Foundation

// What the articles of the emulator's clients show is between the marks, in functions that supply what they leave out.

private func program() async throws {
    // AuthStreamsTesting: a program
    var configuration = EmulatorConfiguration()
    configuration.firebase.projectID = "my-app"
    configuration.firebase.apiKey = "AIza…"
    configuration.google.web.kind = .web(redirectURIs: ["http://localhost:8080/login/oauth2/code/google"])
    let emulator = try Emulator.start(configuration, port: 9099)
    print(emulator.baseURL)
    try await Task.sleep(for: .seconds(86_400))  // until Ctrl-C
    // AuthStreamsTesting end
}

private func emulatorOfATeam() throws {
    // RunTheEmulator: a program
    var configuration = try EmulatorConfiguration(json: Data(contentsOf: URL(filePath: "emulator.json")))
    configuration.allowedOrigins = ["http://localhost:3000"]
    configuration.controlToken = Secret("token-of-the-team")
    let emulator = try Emulator.start(configuration, port: 9099)
    emulator.inject(.delayed(by: .seconds(2)), at: .kakaoToken)
    // RunTheEmulator end
    // RunTheEmulator: what it consists of
    try configuration.json.write(to: URL(filePath: "emulator.json"))
    try EmulatorConfiguration.jsonSchema.write(to: URL(filePath: "emulator.schema.json"))
    let key = configuration.apple.privateKey  // PEM
    let secrets = configuration.secrets  // those of a back end, each with its name
    // RunTheEmulator end
    print(key, secrets)
}

private func unsigned() -> EmulatorConfiguration {
    // FirebaseForServers: unsigned tokens
    var configuration = EmulatorConfiguration()
    configuration.firebase.projectID = "my-app"
    configuration.firebase.signsTokens = false
    // FirebaseForServers end
    return configuration
}

private func redirects(of configuration: inout EmulatorConfiguration) {
    // OpenIDClients: redirects
    let callback = "http://localhost:8080/login/oauth2/code/"
    configuration.google.web.kind = .web(redirectURIs: [callback + "google"])
    configuration.kakao.redirectURIs = [callback + "kakao"]
    configuration.kakao.logoutRedirectURIs = ["http://localhost:8080/"]  // of /oauth/logout
    configuration.naver.redirectURIs = [callback + "naver"]
    configuration.apple.redirectURIs = ["https://app.example/apple"]
    // OpenIDClients end
}

private func issuers(of configuration: inout EmulatorConfiguration) {
    // YourBackEnd: production issuers
    configuration.issuerNames = .production
    // YourBackEnd end
}

private func reports(of configuration: inout EmulatorConfiguration) {
    // YourBackEnd: reports
    configuration.apple.notificationURLs = ["http://127.0.0.1:8080/apple"]
    configuration.kakao.unlinkWebhook = "http://127.0.0.1:8080/kakao"
    configuration.naver.unlinkCallback = "http://127.0.0.1:8080/naver"
    // YourBackEnd end
}

private func withdrawal(_ emulator: Emulator, _ appleUser: String) async -> [Int?] {
    // YourBackEnd: a withdrawal
    let statuses = await emulator.apple.revokeConsent(of: appleUser)
    let kakao = await emulator.kakao.unlink("1001", by: .accountSettings)
    let naver = await emulator.naver.unlink("naver-1001")
    // YourBackEnd end
    return statuses + [kakao, naver]
}
