public import AuthStreams
public import Foundation

/// A Supabase project: where its users are, and the app's key.
public struct SupabaseProject: Sendable {
    /// The project's URL, such as `https://abcdefgh.supabase.co`, or a domain of its own. Auth is below it, at `auth/v1`.
    public var url: URL
    /// The publishable key, or the older `anon` key. It identifies the project and is not secret. Never the secret key or the
    /// `service_role` key: with those anyone may do anything.
    public var key: String
    /// The name of the Edge Function that deletes the account of its caller; `nil` if there is none. Auth has no such request: a user
    /// is deleted with the project's secret key, which stays at the server.
    public var deletionFunction: String?
    /// Further header fields of every request. A field that the protocol needs is never replaced. Values may be secrets, so none is
    /// ever printed.
    public var headers: [HeaderName: String]

    /// Makes a project.
    ///
    /// - Parameters:
    ///   - url: The project's URL.
    ///   - key: The publishable key.
    ///   - deletionFunction: The name of the Edge Function that deletes an account.
    ///   - headers: Further header fields.
    public init(url: URL, key: String, deletionFunction: String? = nil, headers: [HeaderName: String] = [:]) {
        self.url = url
        self.key = key
        self.deletionFunction = deletionFunction
        self.headers = headers
    }
}

extension SupabaseProject: DescriptionOnly {
    /// The project's host; never the header fields, which may hold secrets.
    public var description: String { "Supabase project \(url.host() ?? "")" }
}

extension AuthRepositoryFactory {
    /// Supabase Auth: Apple, Google and Kakao by their ID tokens, passwords, codes, mail links and authenticator apps. See
    /// ``SupabaseRepository``.
    ///
    /// - Parameters:
    ///   - url: The project's URL, such as `https://abcdefgh.supabase.co`.
    ///   - key: The publishable key. It identifies the project and is not secret.
    ///   - deletionFunction: The name of the Edge Function that deletes an account; `nil` for none.
    public static func supabase(url: URL, key: String, deletionFunction: String? = nil) -> Self {
        .supabase(SupabaseProject(url: url, key: key, deletionFunction: deletionFunction))
    }

    /// Supabase Auth, by a project with further settings.
    ///
    /// - Parameters:
    ///   - project: The project of the users.
    ///   - providers: The providers whose ID tokens the project takes, by their names at Supabase.
    public static func supabase(
        _ project: SupabaseProject,
        providers: [ProviderID: String] = [.apple: "apple", .google: "google", .kakao: "kakao"]
    ) -> Self {
        Self { platform in
            SupabaseRepository(
                project: project, providers: providers, transport: platform.transport, clock: platform.clock)
        }
    }
}
