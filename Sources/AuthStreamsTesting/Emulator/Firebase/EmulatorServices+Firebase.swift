import AuthStreams

extension EmulatorServices {
    /// Makes the services of a Firebase project, which share its users.
    static func firebase(for configuration: EmulatorConfiguration) -> [any EmulatorService] {
        let accounts = Lock(FirebaseAccounts())
        return [
            EmulatedIdentityToolkit(accounts: accounts), FirebaseKeys(),
            SocialLogin(addresses: FunctionAddresses(of: configuration.firebase), accounts: accounts),
            SocialRevocation(hosts: [configuration.firebase.functionsHost], accounts: accounts),
            AppleNotificationEndpoint(host: configuration.firebase.functionsHost, accounts: accounts),
            SessionRevocation(hosts: [configuration.firebase.functionsHost], accounts: accounts),
        ]
    }
}
