import type { Verdict } from './doctor-verdicts.ts'

interface Tasks {
  /** `ok`; `late by 90 s` if the oldest due task of the queue `work` is 90 seconds late; or `no worker has run for 90 s`. */
  readonly tasks: string
  readonly usesInngest: boolean
  /** The problem of the Inngest server, or null. */
  readonly problem: string | null
}

export function verdictOnTasks({ tasks, usesInngest, problem }: Tasks): Verdict {
  if (tasks.startsWith('no worker')) {
    const since = tasks.replace('no', 'No')
    return ['missing', `${since}. Start a process that runs tasks (npm start, or npm start -- worker).`]
  }
  if (tasks !== 'ok')
    return [
      'missing',
      `The oldest due task is ${tasks}. A worker runs. The page Jobs of the admin area shows the failures.`,
    ]
  if (!usesInngest) return ['ok', 'run by the processes']
  return problem === null ? ['ok', 'an Inngest server'] : ['missing', `The Inngest server has a problem: ${problem}.`]
}
