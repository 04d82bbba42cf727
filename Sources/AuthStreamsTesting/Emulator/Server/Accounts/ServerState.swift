/// What the app's server must remember: its users, the sessions they hold, and what was refreshed.
struct ServerState {
    var accounts = ServerAccounts()
    var sessions = ServerSessions()
    var refreshes = ServerRefreshLog()
}
