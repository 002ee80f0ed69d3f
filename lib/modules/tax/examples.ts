import type { Registration } from './rules/registration.ts'

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
