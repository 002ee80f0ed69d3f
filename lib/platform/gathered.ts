/**
 * Turns a function for many into a function for one. Calls with one key in one turn of the event loop are done
 * together. `work` returns its results in the order of its input. An error reaches all callers of its key.
 */
export function gathered<Asked, Answer>(
  keyOf: (asked: Asked) => string,
  work: (all: readonly Asked[]) => Promise<readonly Answer[]>,
): (asked: Asked) => Promise<Answer> {
  const turns = new Map<string, { all: Asked[]; answers: Promise<readonly Answer[]> }>()
  const newTurn = (key: string) => {
    const all: Asked[] = []
    const answers = Promise.resolve().then(() => {
      turns.delete(key)
      return work(all)
    })
    const turn = { all, answers }
    turns.set(key, turn)
    return turn
  }
  return async (asked) => {
    const key = keyOf(asked)
    const { all, answers } = turns.get(key) ?? newTurn(key)
    const index = all.push(asked) - 1
    return (await answers)[index] as Answer
  }
}
