import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { endpointsPage } from '@/e2e/fixtures/admin-pages.ts'
import { Endpoints } from './endpoints.tsx'

it('the form for a new webhook endpoint contains the proposed secret and its encrypted copy', () => {
  const { form } = endpointsPage
  if (!form) throw new Error('No form')
  const page = <Endpoints outcome={{ done: null, failed: null }} page={endpointsPage} path="" />
  const inputs = renderToStaticMarkup(page).match(/<input[^>]*>/g) ?? []
  const sentAs = (name: string) =>
    inputs.filter((input) => input.includes(` name="${name}"`)).map((input) => / value="([^"]*)"/.exec(input)?.[1])
  expect(sentAs('secret')).toEqual([form.suggestedSecret])
  expect(sentAs('sealedSecret')).toEqual([form.sealedSecret])
})
