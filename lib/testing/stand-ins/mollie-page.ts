import type { Payment } from './mollie-books.ts'

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/** The page where a tester decides what the buyer does. */
export const paymentPage = ({ id, amount, description, status }: Payment): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Stand-in payment page</title>
<h1>Stand-in for Mollie</h1>
<p>${escaped(description)}: ${escaped(amount.value)} ${escaped(amount.currency)} (${id}, ${status})</p>
<form method="post">
${(['paid', 'pending', 'failed', 'canceled', 'expired'] as const)
  .map((outcome) => `<button name="status" value="${outcome}">${outcome}</button>`)
  .join('\n')}
</form></html>`
