import { noteTime, secondsSince } from '../db/turn.ts'

const name = 'tasks looked for'

/** Records that a worker has just looked for due tasks without an error. */
export const noteLook = (): Promise<void> => noteTime(name)

/** Seconds since a worker of the installation last looked for due tasks. Null if no worker has run yet. */
export const secondsSinceLook = (): Promise<number | null> => secondsSince(name)
