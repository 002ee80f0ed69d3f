import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { codeBlocksOf } from './docs/code-blocks.ts'
import { parseYaml } from './yaml.ts'

/**
 * These tests take the expected settings of each proxy from the examples in docs/production.md. The table above the
 * examples explains the settings.
 */

const read = (file: string) => readFileSync(file, 'utf8')
const production = read('docs/production.md')
const [, onProxies = ''] = production.split('\n### Example of a reverse proxy\n')
const example = (language: string) => codeBlocksOf(onProxies).find((block) => block.language === language)?.text ?? ''
const [caddy, nginx] = [example('caddyfile'), example('nginx')]

/** Returns the value of a setting that occurs once in `text`, such as `60s` for the name `read_body`. */
function settingIn(text: string, name: string): string | undefined {
  const found = [...text.matchAll(new RegExp(`^ *${name} ([^;\\n]+);?$`, 'gm'))].map(([, value]) => value)
  expect(found, name).toHaveLength(1)
  return found[0]
}

describe('the settings of the proxies in front of the service', () => {
  it('Caddy of Compose has the settings of the Caddy example in docs/production.md', () => {
    expect(caddy).toContain('pay.example.com {')
    expect(caddy).toContain('reverse_proxy 127.0.0.1:3000 {')
    const inCompose = parseYaml(read('compose.yaml'))[0].configs.caddyfile.content.replaceAll('$$', '$')
    const expected = caddy.replace('pay.example.com', '{$BILLHOOK_DOMAIN}').replace('127.0.0.1:3000', 'web:3000')
    expect(inCompose.trim()).toBe(expected.trim())
  })

  it.each([
    ['keepalive', 'keepalive_timeout', '60s'],
    ['read_header', 'client_header_timeout', '20s'],
    ['read_body', 'client_body_timeout', '60s'],
    ['response_header_timeout', 'proxy_read_timeout', '120s'],
  ])('the Caddy setting %s and the nginx setting %s are %s', (inCaddy, inNginx, seconds) => {
    expect(settingIn(caddy, inCaddy)).toBe(seconds)
    expect(settingIn(nginx, inNginx)).toBe(seconds)
  })

  it('the Caddy example and the nginx example accept bodies of 7 MB, do not buffer responses, and remove CF-IPCountry', () => {
    expect([settingIn(caddy, 'max_size'), settingIn(nginx, 'client_max_body_size')]).toEqual(['7MB', '7m'])
    expect([settingIn(caddy, 'flush_interval'), settingIn(nginx, 'proxy_buffering')]).toEqual(['-1', 'off'])
    expect(caddy).toMatch(/^ *header_up -CF-IPCountry$/m)
    expect(nginx).toMatch(/^ *proxy_set_header CF-IPCountry "";$/m)
  })

  it('the table in docs/production.md names the timeouts and sizes of the examples', () => {
    const rows = onProxies.match(/^\| .* \|$/gm)?.join('\n') ?? ''
    expect(rows).toContain('closes an unused connection first, after 60 seconds')
    expect(rows).toContain('A request header takes at most 20 seconds, and a whole request at most 60 seconds.')
    expect(rows).toContain('The proxy waits 120 seconds')
    expect(rows).toContain('The proxy accepts 7 MB')
    expect(rows).toContain('The proxy does not buffer responses.')
  })

  it('the service closes connections and requests after the times in the table of docs/production.md', () => {
    const listen = read('lib/server/listen.ts')
    expect(listen).toContain('idleSocketMs = 120_000')
    expect(listen).toContain('requestTimeout: 60_000, headersTimeout: 20_000')
    expect(listen).toContain('keepAliveTimeout = 75_000')
    expect(onProxies).toContain('closes a connection without a request after 75 seconds')
    expect(onProxies).toContain('on which nothing is sent for 120 seconds')
  })

  it('the Ingress examples have the sizes and timeouts of the nginx example that differ from the defaults of ingress-nginx', () => {
    const inGuide = codeBlocksOf(read('docs/guides/containers.md')).filter(({ text }) => text.includes('\ningress:'))
    expect(inGuide).toHaveLength(1)
    const values = [...inGuide.map(({ text }) => text), read('charts/billhook/ci/all-values.yaml')]
    for (const text of values)
      expect(parseYaml(text)[0].ingress.annotations).toEqual({
        'nginx.ingress.kubernetes.io/proxy-body-size': settingIn(nginx, 'client_max_body_size'),
        'nginx.ingress.kubernetes.io/proxy-read-timeout': settingIn(nginx, 'proxy_read_timeout')?.replace('s', ''),
      })
  })

  it('the guides say which country header the proxies remove: only CF-IPCountry', () => {
    expect(read('docs/guides/containers.md')).toContain('removes only `CF-IPCountry` from the requests')
    expect(onProxies).toContain('Both examples remove the country header `CF-IPCountry` of the client.')
  })
})
