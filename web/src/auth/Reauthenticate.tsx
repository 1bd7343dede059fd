import { lazy, Suspense, useEffect, useState } from 'react'
import { onReauthenticate } from '../api/client'
import { loadCode } from '../shell/loadCode'

const ConfirmPassword = lazy(async () => ({
  default: (await loadCode(() => import('./ConfirmPassword'))).ConfirmPassword,
}))

/** Asks for the password before a sensitive request, which is then repeated. The form below keeps its values. */
export function Reauthenticate() {
  const [answer, setAnswer] = useState<(given: boolean) => void>()
  useEffect(() => onReauthenticate(() => new Promise<boolean>((resolve) => setAnswer(() => resolve))), [])
  const end = (given: boolean) => {
    answer?.(given)
    setAnswer(undefined)
  }
  return (
    answer && (
      <Suspense fallback={null}>
        <ConfirmPassword onEnd={end} />
      </Suspense>
    )
  )
}
