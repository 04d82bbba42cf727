public import AuthStreams

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
