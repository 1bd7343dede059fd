import { Anchor, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { post } from '../api/client'
import { refresh } from '../api/query'
import { notify } from '../shell/notices'
import { Empty, Page, Waiting } from '../shell/Page'
import { ErrorMessage } from '../shell/problems'

/** The page that a provider sends the user back to, with a code or an error. */
export function OauthCallback() {
  const [given] = useState(() => new URLSearchParams(window.location.search))
  const [error, setError] = useState<unknown>()
  const navigate = useNavigate()
  const sent = useRef(false)
  const [code, state, refused] = [given.get('code'), given.get('state'), given.get('error')]
  useEffect(() => {
    // A code works once.
    if (sent.current || !code || !state) return
    sent.current = true
    window.history.replaceState(null, '', '/oauth/callback')
    post('/dashboard/oauth/callback', { code, state }).then(({ data }) => {
      refresh('connected-accounts', 'accounts')
      notify(`${data.address ?? data.name} is connected`)
      navigate({ to: '/settings/$section', params: { section: 'accounts' } })
    }, setError)
  }, [code, state, navigate])
  if (code && state && error === undefined) return <Waiting />
  const back = <Anchor href="/settings/accounts">Go to the connected accounts</Anchor>
  return (
    <Page title="Connect a mailbox">
      <Empty title="The mailbox is not connected" action={back}>
        {error !== undefined ? (
          <ErrorMessage error={error} />
        ) : (
          <Text>
            {refused === 'access_denied'
              ? 'The access was not permitted. Connect again and agree to it.'
              : 'The provider sent no code. Connect again.'}
          </Text>
        )}
      </Empty>
    </Page>
  )
}
