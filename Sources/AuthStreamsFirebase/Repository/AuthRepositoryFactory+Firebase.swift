public import AuthStreams
public import Foundation

extension AuthRepositoryFactory {
    /// Firebase Authentication: Apple and Google by `signInWithIdp`, Kakao and Naver through the callable function
    /// `socialLogin`. See ``FirebaseRepository``.
    ///
    /// - Parameters:
    ///   - id: The project's identifier, such as `my-app-1a2b3`.
    ///   - apiKey: The Web API key of the console. It identifies the project and is not secret.
    ///   - region: The region of the function.
    public static func firebase(
        id: String, apiKey: String, functionsIn region: FunctionsRegion = .usCentral1
    ) -> Self {
        .firebase(FirebaseProject(id: id, apiKey: apiKey), routes: .standard(functionsIn: region))
    }

    /// Firebase Authentication, by the file `GoogleService-Info.plist` of the Firebase console.
    ///
    /// ```swift
    /// .firebase(functionsIn: .seoul)
    /// .firebase(plist: Bundle.main.url(forResource: "GoogleService-Info-Dev", withExtension: "plist"), functionsIn: .seoul)
    /// ```
    ///
    /// - Parameters:
    ///   - plist: The file, which is read here; that of the app's bundle unless given. With one that cannot be used each attempt
    ///     ends with `misconfigured`; see ``FirebaseProject/init(plist:bundleID:)``.
    ///   - region: The region of the function.
    public static func firebase(
        plist: URL? = FirebaseProject.bundledPlist, functionsIn region: FunctionsRegion = .usCentral1
    ) -> Self {
        .firebase(FirebaseProject(plist: plist), routes: .standard(functionsIn: region))
    }

    /// Firebase Authentication, by a project with further settings.
    ///
    /// - Parameters:
    ///   - project: The project of the users.
    ///   - routes: The route of each provider's credentials. A provider without one cannot sign in.
    ///   - functions: The project's revocation functions; `nil` for none.
    public static func firebase(
        _ project: FirebaseProject, routes: [ProviderID: FirebaseRoute] = .standard(),
        functions: AccountFunctions? = nil
    ) -> Self {
        Self { platform in
            FirebaseRepository(
                project: project, routes: routes, functions: functions, transport: platform.transport,
                clock: platform.clock)
        }
    }
}
