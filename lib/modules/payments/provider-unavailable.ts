/** The provider does not respond, refuses our account, or has returned no clear result. A later retry can succeed. */
export class ProviderUnavailable extends Error {
  override readonly name: string = 'ProviderUnavailable'
}
