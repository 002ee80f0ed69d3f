import { Refusal, type RefusalCode } from './refusal.ts'

/** Maps each state to its triggers, and each trigger to its target state. A state without triggers is final. */
type Table<T> = { readonly [S in keyof T]: { readonly [trigger: string]: keyof T & string } }

type State<T> = keyof T & string
type Trigger<T> = { [S in keyof T]: keyof T[S] }[keyof T] & string
type Target<T, G extends string> = { [S in keyof T]: G extends keyof T[S] ? T[S][G] : never }[keyof T] & State<T>

interface Machine<T> {
  readonly states: readonly State<T>[]
  /** Returns the target state. If the transition is missing, throws a Refusal with the error code `code`, or a plain Error if `code` is omitted. */
  on<G extends Trigger<T>>(state: State<T>, trigger: G, code?: RefusalCode): Target<T, G>
  can(state: State<T>, trigger: Trigger<T>): boolean
  isFinal(state: State<T>): boolean
  transitions(): readonly { from: State<T>; trigger: Trigger<T>; to: State<T> }[]
  reachableFrom(state: State<T>): ReadonlySet<State<T>>
}

export type StateOf<M extends { readonly states: readonly string[] }> = M['states'][number]

/** Creates a state machine from its transitions. A misspelled state, trigger, or target does not compile. */
export function machine<const T extends Table<T>>(table: T): Machine<T> {
  const moves = new Map(
    Object.entries<Record<string, State<T>>>(table).map(([from, to]) => [from, new Map(Object.entries(to))]),
  )
  const movesFrom = (state: State<T>): ReadonlyMap<string, State<T>> => moves.get(state) ?? new Map()

  return {
    states: [...moves.keys()] as State<T>[],
    on<G extends Trigger<T>>(state: State<T>, trigger: G, code?: RefusalCode) {
      const target = movesFrom(state).get(trigger)
      if (target === undefined) throw code ? new Refusal(code) : new Error(`no transition '${trigger}' from '${state}'`)
      return target as Target<T, G>
    },
    can: (state, trigger) => movesFrom(state).has(trigger),
    isFinal: (state) => movesFrom(state).size === 0,
    transitions: () =>
      [...moves].flatMap(([from, to]) =>
        [...to].map(([trigger, target]) => ({ from: from as State<T>, trigger: trigger as Trigger<T>, to: target })),
      ),
    reachableFrom(state) {
      const reached = new Set([state])
      for (const next of reached) for (const target of movesFrom(next).values()) reached.add(target)
      return reached
    },
  }
}
