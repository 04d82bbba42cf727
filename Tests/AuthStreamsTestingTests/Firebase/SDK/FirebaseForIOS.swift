import AuthStreamsTesting

// What the article on Firebase's SDK for Apple systems shows. The SDK is the stand-in beside this file, which is at the emulator
// anyway.

extension Auth {
    func useEmulator(withHost host: String, port: Int) {}
}

extension Functions {
    func useEmulator(withHost host: String, port: Int) {}
}

private func connect() {
    // FirebaseForIOS: the SDK at the emulator
    Auth.auth().useEmulator(withHost: "127.0.0.1", port: 9099)
    Functions.functions(region: "asia-northeast3").useEmulator(withHost: "127.0.0.1", port: 9099)
    // FirebaseForIOS end
}

// The article lines its comments up.
// swift-format-ignore
private func project() -> EmulatorConfiguration {
    // FirebaseForIOS: the project
    var configuration = EmulatorConfiguration()
    configuration.firebase.projectID = "my-app"    // PROJECT_ID
    configuration.firebase.apiKey = "AIza…"        // API_KEY
    configuration.firebase.region = "asia-northeast3"
    configuration.google.iOS.id = "1234-abc.apps.googleusercontent.com"  // CLIENT_ID
    configuration.apple.bundleID = "com.example.app"
    // FirebaseForIOS end
    return configuration
}
