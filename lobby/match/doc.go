// Package match is the functional core of matches: what a match is, its log of entries, and what happens in
// it.
//
// A [State] is an immutable value that [Step] takes from input to input. An input is a player's command, a
// check after some time, or the outcome of a request; what follows are [Effects]: a [Snapshot] to publish,
// the answer to a command, and at most one request for I/O, such as appending entries to the log. A state
// that waits for the outcome of a request accepts nothing else. So the log in the store decides: an entry
// is applied and shown only after it has been recorded, and after a conflict or an unclear outcome the log
// is read. Several nodes can each have a state of the same match on one log.
//
// A request interrupts the command for which it is made. What goes on with its outcome, and whether the command is then run
// again from its beginning:
//
//	RequestAppend      InputAppended             step.appended            no
//	                   InputAppendConflict       asks for RequestLog      as there
//	                   InputAppendFailed         asks for RequestLog      as there
//	RequestLog         InputLogRead              logRequest.done          a turn: if others have recorded only credits, or
//	                                                                      have changed the conditions
//	RequestRatings     InputRatingsRead          step.continueJob         no
//	RequestRematch     InputRematchStarted       agreementWrite.request   no
//	RequestAgreements  InputAgreementsRecorded   agreementWrite.recorded  no: Command.agreed goes on
//	                   InputAgreementsConflict   agreementWrite.refused   yes, unless its rematch has started, or the log
//	                                                                      has to be read first
//	RequestRefresh     InputRefreshed            step.handle              yes
//	RequestConditions  InputConditionsRead       conditionsJob.read       yes
//
// After the other outcomes, which are failures, it is not run again. What is due before a command makes requests as well;
// the command is run for the first time after them.
//
// The caller executes the effects, one after the other: the goroutine of lobby.Match does, and so does the
// simulation in the tests, which has no store, clock or goroutine.
//
// The package starts no goroutine, reads no time, takes no lock and does no I/O.
package match
