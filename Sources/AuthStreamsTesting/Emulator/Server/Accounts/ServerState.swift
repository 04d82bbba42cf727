/// The state of the app's server: its users, their sessions, and the refreshes.
struct ServerState {
    var accounts = ServerAccounts()
    var sessions = ServerSessions()
    var refreshes = ServerRefreshLog()
}
