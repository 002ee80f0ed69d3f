'use client'

import { type FormEvent, type ReactNode, useEffect, useState } from 'react'

interface Texts {
  readonly action: string
  readonly failed: string
}

type Ceremony =
  | { readonly kind: 'create'; readonly options: PublicKeyCredentialCreationOptionsJSON }
  | { readonly kind: 'get'; readonly options: PublicKeyCredentialRequestOptionsJSON }

/**
 * A form that sends the response of a passkey as JSON in the field `credential`. Hidden if the browser does not support passkeys or if JavaScript is off. The
 * page then offers another way to log in.
 */
export function PasskeyForm({
  ceremony,
  path,
  className,
  texts,
  children,
}: {
  ceremony: Ceremony
  path: string
  className: string
  texts: Texts
  children?: ReactNode
}) {
  const [state, setState] = useState<'unknown' | 'ready' | 'asking' | 'failed'>('unknown')
  useEffect(() => {
    if (typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential)
      setState('ready')
  }, [])
  if (state === 'unknown') return null
  const ask = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    setState('asking')
    try {
      const field = form.elements.namedItem('credential') as HTMLInputElement
      field.value = JSON.stringify(await answerOf(ceremony))
      form.submit()
    } catch {
      setState('failed') // Every failure has the same message, because browsers hide why a passkey request failed.
    }
  }
  return (
    <form action={path} className="grid gap-4" method="post" onSubmit={ask}>
      {children}
      <input name="credential" type="hidden" />
      {state === 'failed' && (
        <p className="text-wrong" role="alert">
          {texts.failed}
        </p>
      )}
      <button className={className} disabled={state === 'asking'} type="submit">
        {texts.action}
      </button>
    </form>
  )
}

async function answerOf(ceremony: Ceremony): Promise<unknown> {
  const credential =
    ceremony.kind === 'create'
      ? await navigator.credentials.create({
          publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(ceremony.options),
        })
      : await navigator.credentials.get({
          publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(ceremony.options),
        })
  return (credential as PublicKeyCredential).toJSON()
}
