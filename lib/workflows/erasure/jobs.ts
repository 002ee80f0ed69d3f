import { eraseDocuments, eraseResponses, forgetAtProvider } from '../../modules/personal-data/tasks.ts'
import { job } from '../../platform/jobs/tasks.ts'
import { emptyResponses, endDocuments, forget } from './operations.ts'

export const erasureJobs = [
  job(eraseDocuments, endDocuments),
  job(eraseResponses, emptyResponses),
  job(forgetAtProvider, forget),
]
