import { describe, expect, it } from 'vitest'
import { normalizedUrl } from './url.ts'

describe('normalized URLs', () => {
  it.each([
    ['https://hook.example', 'https://hook.example/'],
    ['HTTPS://Hook.Example:443/a', 'https://hook.example/a'],
    ['https://hook.example./a', 'https://hook.example/a'],
    ['https://hook.example/a#1', 'https://hook.example/a#2'],
    ['https://hook.example/a#', 'https://hook.example/a'],
    ['https://@hook.example/a', 'https://hook.example/a'],
    ['https://hook.example/b/../a', 'https://hook.example/a'],
    ['https://hook.example/%7Eada/%2f', 'https://hook.example/~ada/%2F'],
    ['https://hook.example/ü', 'https://hook.example/%c3%bc'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://0x5db8d822/', 'https://93.184.216.34/'],
    ['https://[2606:4700:0::1]/', 'https://[2606:4700::1]/'],
  ])('the URLs %s and %s identify the same endpoint', (one, other) => {
    expect(normalizedUrl(one)).toBe(normalizedUrl(other))
  })

  it.each([
    ['https://hook.example/a', 'https://hook.example/A'],
    ['https://hook.example/a', 'https://hook.example/a/'],
    ['https://hook.example/a', 'https://hook.example/a?b'],
    ['https://hook.example/a?b', 'https://hook.example/a?c'],
    ['https://hook.example/a%2Fb', 'https://hook.example/a/b'],
    ['https://hook.example/', 'https://hook.example:8443/'],
    ['https://hook.example/', 'http://hook.example/'],
    ['https://faß.example/', 'https://fass.example/'],
  ])('the URLs %s and %s identify different endpoints', (one, other) => {
    expect(normalizedUrl(one)).not.toBe(normalizedUrl(other))
  })
})

it('normalizing a normalized URL does not change it', () => {
  const form = normalizedUrl('HTTPS://Bücher.example./%7Eada/%2f/ü?q=%61#x')
  expect(form).toBe('https://xn--bcher-kva.example/~ada/%2F/%C3%BC?q=a')
  expect(normalizedUrl(form)).toBe(form)
  expect(normalizedUrl('https://xn--a.com/')).toBe('https://xn--a.com/')
})
