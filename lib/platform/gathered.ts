/**
 * Makes a function for one from a function for many: what is asked for in one turn of the event loop is done together.
 * `work` answers in the order of what it is given; what it throws, everybody gets who asked.
 */
export function gathered<Asked, Answer>(
  work: (all: readonly Asked[]) => Promise<readonly Answer[]>,
): (asked: Asked) => Promise<Answer> {
  let waiting: Asked[] = []
  let answers: Promise<readonly Answer[]> | undefined
  return async (asked) => {
    const index = waiting.push(asked) - 1
    answers ??= Promise.resolve().then(() => {
      const all = waiting
      waiting = []
      answers = undefined
      return work(all)
    })
    return (await answers)[index] as Answer
  }
}
