import { eraseDocuments, forgetAtProvider } from '../../modules/personal-data/tasks.ts'
import { job } from '../../platform/jobs/tasks.ts'
import { endDocuments, forget } from './operations.ts'

export const erasureJobs = [job(eraseDocuments, endDocuments), job(forgetAtProvider, forget)]
