import { expireCheckout } from '../../modules/checkouts/tasks.ts'
import { returnPayment } from '../../modules/payments/tasks.ts'
import { askForMissingMethod } from '../../modules/subscriptions/tasks.ts'
import { job } from '../../platform/jobs/tasks.ts'
import { returnMoney } from '../collection/return-money.ts'
import { expire } from './cancel-or-expire.ts'
import { askWhereMethodIsMissing } from './missing-method.ts'

export const checkoutJobs = [
  job(expireCheckout, (tenant, { checkoutId }) => expire(tenant, checkoutId)),
  job(returnPayment, returnMoney),
  job(askForMissingMethod, askWhereMethodIsMissing),
]
