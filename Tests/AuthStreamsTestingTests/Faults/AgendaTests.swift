import Testing

@testable import faults

@Suite struct AgendaTests {
    @Test func whatIsDueIsTakenOneByOneInAnyOrder() {
        var agenda = Agenda()
        var done: [String] = []
        agenda.add(at: 10, of: nil) { done.append("later") }
        agenda.add(at: 5, of: nil) { done.append("first") }
        agenda.add(at: 5, of: nil) { done.append("second") }
        #expect(agenda.next == 5)
        #expect(agenda.due(at: 4) == 0)
        #expect(agenda.due(at: 5) == 2)
        agenda.take(1, dueAt: 5)()
        agenda.take(0, dueAt: 5)()
        #expect(done == ["second", "first"])
        #expect(agenda.next == 10)
    }

    @Test func whatBelongsToAProcessDiesWithIt() {
        var agenda = Agenda()
        agenda.add(at: 1, of: 0) {}
        agenda.add(at: 1, of: 1) {}
        agenda.add(at: 1, of: nil) {}
        agenda.removeAll(of: 1)
        #expect(agenda.due(at: 1) == 2)
    }

    @Test func whatWouldHappenToOneThatStandsStillIsDueWhenItGoesOn() {
        var agenda = Agenda()
        agenda.add(at: 1, of: 0) {}
        agenda.freeze(0)
        agenda.add(at: 2, of: 0) {}
        let takenBack = agenda.add(at: 2, of: 0) {}
        agenda.add(at: 2, of: 1) {}
        #expect(agenda.due(at: 3) == 1)
        agenda.remove(takenBack)
        agenda.thaw(0)
        #expect(agenda.due(at: 3) == 3)
    }

    @Test func whatIsTakenBackDoesNotHappen() {
        var agenda = Agenda()
        let entry = agenda.add(at: 1, of: nil) {}
        agenda.remove(entry)
        #expect(agenda.next == nil)
    }
}
