import { afterAll, beforeEach, expect, it } from 'vitest'
import { emailPage } from '../../admin/pages.ts'
import { only } from '../../kernel/only.ts'
import { db } from '../../platform/db/db.ts'
import { cli } from '../../testing/command-line.ts'
import { configure } from '../../testing/configure.ts'
import { aMailServer } from '../../testing/mail-server.ts'
import { aMember, anOperator } from '../../testing/operator.ts'
import { aShop, runDueTasks, type Shop } from '../../testing/shop.ts'
import { transact } from '../events/transact.ts'
import { enqueueEmails } from './enqueue.ts'
import { emailExamples } from './examples.ts'
import { listEmails } from './operations.ts'

const server = await aMailServer()
const settings = { SMTP_URL: server.url, MAIL_FROM: 'billing@lumen.example', TEST_MAIL_TO: 'example.com' }
afterAll(() => server.close())

const to = 'ada@example.com'
let shop: Shop
beforeEach(async () => {
  configure(settings)
  server.forget()
  await db().tasks.deleteMany()
  shop = await aShop()
})

const write = async () =>
  only(
    await transact(shop.scope, (tx) =>
      enqueueEmails(tx, [{ to, locale: 'en', content: emailExamples.payment_failed }]),
    ),
  )
const listed = async () => only(await listEmails(shop.storefrontId))
const retryNow = () => db().tasks.updateMany({ where: { name: 'email.send' }, data: { run_at: new Date(0) } })

const deferred = 'EmailRejected: The mail server did not accept the email: EENVELOPE, answered 450.'

it('until an email is sent, the email list states why the last attempt failed, but not the recipient’s address', async () => {
  await write()
  expect(await listed()).toMatchObject({ status: 'queued', outcome: 'The email waits to be sent.', lastError: null })
  server.answers = { RCPT: `450 <${to}> later` }
  await runDueTasks()
  expect(await listed()).toMatchObject({
    status: 'queued',
    outcome: 'The email waits to be sent.',
    lastError: deferred,
  })
  expect((await cli(`email list --storefront ${shop.storefrontId}`)).stdout).toContain(`lastError: ${deferred}\n`)
  server.forget()
  await retryNow()
  await runDueTasks()
  expect(await listed()).toMatchObject({ status: 'sent', lastError: null })
})

it('the email list states an error that does not come from the mail server', async () => {
  await write()
  configure({ SMTP_URL: undefined, MAIL_FROM: undefined })
  await runDueTasks()
  expect(await listed()).toMatchObject({ lastError: 'Error: An email is queued, but SMTP_URL is not set.' })
})

it('the page of an email shows the last error to staff, and hides it from members of the merchant', async () => {
  const id = await write()
  server.answers = { RCPT: `450 <${to}> later` }
  await runDueTasks()
  const place = { mode: 'test', storefrontId: shop.storefrontId }
  const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })
  const staff = await anOperator(`staff-${id}@example.org`)
  const owner = await aMember(`owner-${id}@example.org`, merchant_id, 'owner')
  expect((await emailPage(place, id, staff.cookies))?.lastError).toBe(deferred)
  expect((await emailPage(place, id, owner.cookies))?.lastError).toBeNull()
})
