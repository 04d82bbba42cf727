import AuthStreams
import Testing

@testable import faults

@Suite struct ReplyTests {
    @Test func aReplyDoesNotKeepWhatItGave() async {
        let isReleased = Lock(false)
        let reply = Reply<SessionStoreLock>()
        reply.give(SessionStoreLock { isReleased.withLock { $0 = true } })
        _ = await reply.wait()
        #expect(isReleased.withLock { $0 })
        #expect(reply.isGiven)
    }
}
