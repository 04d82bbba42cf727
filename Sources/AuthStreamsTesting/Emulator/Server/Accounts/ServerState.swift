/// What the app's server must remember: its users, and the sessions they hold.
struct ServerState {
    var accounts = ServerAccounts()
    var sessions = ServerSessions()
}
