import { remindOfTransfer } from '../../modules/payments/tasks.ts'
import { chargeNotice } from '../../modules/subscriptions/tasks.ts'
import { job } from '../../platform/jobs/tasks.ts'
import { sendChargeNotice } from './charge-notices.ts'
import { sendTransferReminder } from './transfer-reminder.ts'

export const customerEmailJobs = [job(chargeNotice, sendChargeNotice), job(remindOfTransfer, sendTransferReminder)]
