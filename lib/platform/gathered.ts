/**
 * Turns a function for many inputs into a function for one input. The first call with a key queues a microtask, and the batch contains all calls with this
 * key until the microtask runs. `work` returns results in the order of its inputs. If `work` throws, all calls of the batch throw.
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
