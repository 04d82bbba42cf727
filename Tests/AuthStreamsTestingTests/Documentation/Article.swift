/// An article whose code stands in compiled files.
struct Article: Sendable, CustomStringConvertible {
    /// The Markdown file, from the package's root.
    let path: String
    /// The word that the marks of its code begin with: the file's name.
    let word: String
    /// Where the compiled files are.
    let folders: [String]

    init(_ word: String, of module: String, in folders: [String] = ["Tests/AuthStreamsTestingTests/Documentation"]) {
        path = "Sources/\(module)/\(module).docc/\(word).md"
        self.word = word
        self.folders = folders
    }

    var description: String { word }

    /// The articles that have nothing else to compare. The tests with stubs of Apple's frameworks compile what is in their
    /// folders.
    static let all = [
        Article("Accounts", of: "AuthStreams"),
        Article(
            "AGateBeforeTokens", of: "AuthStreams",
            in: ["Tests/AuthStreamsTestingTests/Documentation", "Tests/AuthStreamsAppleTests/Documentation"]),
        Article("CommandLineTools", of: "AuthStreams"),
        Article(
            "Composition", of: "AuthStreams",
            in: ["Tests/AuthStreamsTestingTests/Documentation", "Tests/AuthStreamsAppleTests/Documentation"]),
        Article("ContractExamples", of: "AuthStreams"),
        Article("DeleteAnAccount", of: "AuthStreams"),
        Article("LogAndMeasure", of: "AuthStreams"),
        Article("OneMoreStep", of: "AuthStreams"),
        Article("PasswordsAndLinks", of: "AuthStreams"),
        Article(
            "SigningIn", of: "AuthStreams",
            in: ["Tests/AuthStreamsTestingTests/Documentation", "Tests/AuthStreamsAppleTests/Documentation"]),
        Article("Streams", of: "AuthStreams"),
        Article(
            "Testing", of: "AuthStreams",
            in: ["Tests/AuthStreamsTestingTests/Documentation", "Tests/AuthStreamsAppleTests/Documentation"]),
        Article("TestWithTheEmulator", of: "AuthStreams"),
        Article(
            "WithoutAServer", of: "AuthStreams",
            in: ["Tests/AuthStreamsTestingTests/Documentation", "Tests/AuthStreamsAppleTests/Documentation"]),
        Article("YourOwnParts", of: "AuthStreams"),
        Article("YourServer", of: "AuthStreams"),
        Article("YourServerIsDifferent", of: "AuthStreams"),
        Article("UseAnyIssuer", of: "AuthStreamsOAuth"),
        Article("SignInFromATerminal", of: "AuthStreamsOAuth"),
        Article("UsingFirebase", of: "AuthStreamsFirebase"),
        Article("UseSupabase", of: "AuthStreamsSupabase"),
        Article("KeepingTheSDK", of: "AuthStreamsFirebase", in: ["Tests/AuthStreamsTestingTests/Firebase/SDK"]),
        Article("AuthStreamsTesting", of: "AuthStreamsTesting"),
        Article("FirebaseForIOS", of: "AuthStreamsTesting", in: ["Tests/AuthStreamsTestingTests/Firebase/SDK"]),
        Article("FirebaseForServers", of: "AuthStreamsTesting"),
        Article("OpenIDClients", of: "AuthStreamsTesting"),
        Article("RunTheEmulator", of: "AuthStreamsTesting"),
        Article("TheEmulatedServer", of: "AuthStreamsTesting"),
        Article("YourBackEnd", of: "AuthStreamsTesting"),
        Article("Buttons", of: "AuthStreamsApple", in: ["Tests/AuthStreamsAppleTests/Documentation"]),
        Article("KeychainSession", of: "AuthStreamsApple", in: ["Tests/AuthStreamsAppleTests/Documentation"]),
        Article("PromptScreens", of: "AuthStreamsApple", in: ["Tests/AuthStreamsAppleTests/Documentation"]),
        Article("OnAPhone", of: "AuthStreamsApple", in: ["Tests/AuthStreamsAppleTests/Documentation"]),
        Article("Passkeys", of: "AuthStreamsApple", in: ["Tests/AuthStreamsAppleTests/Documentation"]),
        Article("SignInWithApple", of: "AuthStreamsApple", in: ["Tests/AuthStreamsAppleTests/AppleID"]),
    ]
}
