import { hasUserInfo, parseHttpUrl } from '../../../kernel/url.ts'

const mostBytes = 2048

/** Does not check the host, because the service never requests the URL. */
export function returnUrlProblem(url: string): string | null {
  if (new TextEncoder().encode(url).length > mostBytes) return `Must have at most ${mostBytes} bytes.`
  const isHttps = parseHttpUrl(url)?.protocol === 'https:'
  return isHttps && !hasUserInfo(url) ? null : 'Must be an absolute https URL without credentials.'
}
