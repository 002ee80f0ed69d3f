import type { Recovery } from './world.ts'

export const softReasons = ['insufficient_funds', 'temporary_decline', 'general_failure']
/** Days after the previous step, and its action. */
export const steps: Record<Recovery['kind'], [number, 'mail' | 'charge' | 'end'][]> = {
  soft: [
    [0, 'mail'],
    [2, 'charge'],
    [5, 'charge'],
    [7, 'charge'],
    [7, 'charge'],
  ],
  hard: [
    [0, 'mail'],
    [3, 'mail'],
    [3, 'mail'],
    [1, 'end'],
  ],
}
