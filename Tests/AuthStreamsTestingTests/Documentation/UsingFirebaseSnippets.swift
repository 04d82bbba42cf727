import AuthStreams
import AuthStreamsFirebase

// What the article 'Sign in with Firebase' shows is between the marks, in functions that supply what it leaves out.

private func restricted(appCheck: @escaping @Sendable () async throws -> String) -> FirebaseProject {
    // UsingFirebase: a restricted project
    let project = FirebaseProject(
        id: "my-app", apiKey: "AIza…", bundleID: "com.example.app",
        appCheckToken: { Secret(try await appCheck()) })
    // UsingFirebase end
    return project
}
