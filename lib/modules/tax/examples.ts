import type { Registration } from './rules/registration.ts'

/** A registration of the seller since 2026, for tests. */
export const aRegistration = (country: string, differences: Partial<Registration> = {}): Registration => ({
  id: 'registration_1',
  country,
  region: '',
  number: '1',
  scheme: 'local',
  from: '2026-01-01',
  until: null,
  ...differences,
})
