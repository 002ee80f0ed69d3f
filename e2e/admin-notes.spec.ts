import { enterAs } from './operator.ts'
import { buy } from './subscription.ts'
import { expect, test } from './test.ts'

test('a member adds and deletes a note on the page of a customer without JavaScript', async ({
  browser,
  baseURL,
  shop,
  shopUrl,
}) => {
  const { customerId } = await buy(shop, shopUrl)
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await enterAs(page, baseURL, shop, 'support')
  await page.goto(`${baseURL}/admin/test/${shop.storefrontId}/customers/${customerId}`)
  const notes = page.getByRole('region', { name: 'Notes' })
  await expect(notes).toContainText('No notes yet.')
  await notes.getByLabel('Note', { exact: true }).fill('Called about the invoice.\nCalls again on Monday.')
  await notes.getByRole('button', { name: 'Add note' }).click()
  await expect(page.getByRole('status')).toHaveText('The note was added.')
  const note = notes.getByRole('listitem')
  await expect(note).toContainText('Calls again on Monday.')
  await expect(note).toContainText('support-')
  await note.getByRole('button', { name: /^Delete the note of support-/ }).click()
  await expect(page.getByRole('status')).toHaveText('The note was deleted.')
  await expect(note).toHaveCount(0)
  await context.close()
})

test('the admin home page lists recent activity with links to the objects', async ({
  page,
  baseURL,
  shop,
  shopUrl,
}) => {
  const { id } = await buy(shop, shopUrl)
  await enterAs(page, baseURL, shop, 'support')
  await page.goto(`${baseURL}/admin/test/${shop.storefrontId}`)
  const activity = page.getByRole('region', { name: 'Recent activity' })
  await expect(activity.getByRole('listitem')).toHaveCount(2)
  await expect(activity.getByRole('listitem').filter({ hasText: 'Order paid' })).toContainText(/€/)
  await activity.getByRole('link', { name: 'Subscription started' }).click()
  await expect(page).toHaveURL(new RegExp(`/subscriptions/${id}$`))
})
