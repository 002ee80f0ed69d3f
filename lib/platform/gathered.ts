/**
 * Makes a function for one from a function for many: what is asked for under one key in one turn of the event loop is done
 * together. `work` answers in the order of what it is given; what it throws, everybody gets who asked under that key.
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
