export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  return `${firstOf(email)}***@${firstOf(domain)}***${domain.slice(domain.lastIndexOf('.'))}`
}

const firstOf = (text: string): string => [...text][0] ?? ''
