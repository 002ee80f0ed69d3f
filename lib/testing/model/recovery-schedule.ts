import type { Recovery } from './world.ts'

export const softReasons = ['insufficient_funds', 'temporary_decline', 'general_failure']
export const steps: Record<Recovery['kind'], [number, 'email' | 'charge' | 'end'][]> = {
  soft: [
    [0, 'email'],
    [2, 'charge'],
    [5, 'charge'],
    [7, 'charge'],
    [7, 'charge'],
  ],
  hard: [
    [0, 'email'],
    [3, 'email'],
    [3, 'email'],
    [1, 'end'],
  ],
}
