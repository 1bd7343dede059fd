import { Button, Checkbox, Group, SegmentedControl, Text } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { firstOf, type Params, post } from '../api/client'
import type { ItemOf } from '../api/paths'
import { refresh, useGet, usePages } from '../api/query'
import { ago, count } from '../fields/format'
import { ContactPicker } from '../fields/Pickers'
import { Chip } from '../fields/Show'
import { humanize } from '../fields/spec'
import { ENRICHMENT_REQUEST_CHOICES } from '../generated/fields'
import { personName, useCan } from '../session'
import { CopyRequest } from '../shell/Copy'
import { Link } from '../shell/Link'
import { notify, notifyError } from '../shell/notices'
import { Card, Empty, Loaded, Page } from '../shell/Page'

type Request = ItemOf<'/enrichment'>

const STATES = ['all', ...ENRICHMENT_REQUEST_CHOICES.status]

/** Enrichment requests, their results and their cost. */
export function Enrichment() {
  const navigate = useNavigate()
  const status = firstOf(useSearch({ from: '__root__' }).status) ?? 'all'
  const me = useGet('/me').data?.data
  const may = useCan('enrichment:write')
  const params: Params = status === 'all' ? { limit: '50' } : { limit: '50', status }
  const list = usePages('/enrichment', params)
  const all = list.data?.pages.flatMap((page) => page.data) ?? []
  const ask = (contact_ids: string[], types: string[]) =>
    post('/enrichment', { contact_ids, types }).then(() => {
      refresh('enrichment', 'me')
      notify('Asked')
    }, notifyError)
  return (
    <Page
      title="Enrichment"
      head={
        <>
          <SegmentedControl
            size="xs"
            aria-label="State"
            data={STATES.map((value) => ({ value, label: humanize(value) }))}
            value={status}
            onChange={(next) =>
              navigate({ to: '.', search: { status: next === 'all' ? undefined : next }, replace: true })
            }
          />
          <Text c="dimmed" className="num">
            {count(me?.credits.enrichment)} credits
          </Text>
        </>
      }
      actions={<CopyRequest path="/enrichment" params={params} />}
    >
      <div className="narrow">
        {may && <Ask onAsk={ask} />}
        <div style={{ height: 16 }} />
        <Loaded of={list}>
          {() =>
            all.length === 0 ? (
              <Empty icon={IconSparkles} title="No requests yet">
                Choose a contact above: the providers are asked one after another for an email address or a phone
                number. A credit is taken for what is found.
              </Empty>
            ) : (
              <Card flush>
                {all.map((one) => (
                  <Line key={one.id} request={one} onAgain={may ? () => ask([one.contact_id], one.types) : undefined} />
                ))}
                {list.hasNextPage && (
                  <Button m="sm" variant="default" onClick={() => list.fetchNextPage()}>
                    Show more
                  </Button>
                )}
              </Card>
            )
          }
        </Loaded>
      </div>
    </Page>
  )
}

function Ask({ onAsk }: { onAsk: (ids: string[], types: string[]) => void }) {
  const [contact, setContact] = useState<string | null>(null)
  const [types, setTypes] = useState(['email'])
  return (
    <Group gap="sm" align="flex-end">
      <ContactPicker label="Look up" size="sm" w={280} value={contact} onPick={setContact} />
      <Checkbox.Group value={types} onChange={setTypes} aria-label="What to look for">
        <Group gap="sm" h={36}>
          <Checkbox size="xs" value="email" label="Email" />
          <Checkbox size="xs" value="phone" label="Phone" />
        </Group>
      </Checkbox.Group>
      <Button
        size="sm"
        disabled={!contact || types.length === 0}
        onClick={() => {
          if (contact) onAsk([contact], types)
          setContact(null)
        }}
      >
        Look up for up to {types.length} {types.length === 1 ? 'credit' : 'credits'}
      </Button>
    </Group>
  )
}

/** An address with its finder's rating. */
const text = (address: string, { verified, confidence }: { verified: boolean; confidence: number | null }) =>
  `${address}${verified ? ' (verified)' : confidence === null ? '' : ` (${confidence} %)`}`

function Line({ request, onAgain }: { request: Request; onAgain?: () => void }) {
  const contact = useGet(`/contacts/${request.contact_id}`, undefined, { staleTime: 300_000 }).data?.data
  const found = [
    ...(request.result?.emails ?? []).map((one) => text(one.email, one)),
    ...(request.result?.phones ?? []).map((one) => text(one.phone, one)),
  ]
  const tried = request.attempts?.map((one) => `${one.provider}: ${one.reason ?? humanize(one.outcome)}`).join('\n')
  const over = request.status === 'completed' || request.status === 'failed'
  return (
    <div className="row-link">
      <Link to={`/contacts/${request.contact_id}`} className="cut" style={{ minWidth: 140, fontWeight: 600 }}>
        {personName(contact) || '…'}
      </Link>
      <Chip value={request.status} />
      <span className="grow cut">
        {request.error ??
          (found.length ? found.join(', ') : over ? 'Nothing found' : `Looking for ${request.types.join(' and ')}`)}
      </span>
      <span className="dim not-small" title={tried}>
        {request.provider}
      </span>
      <span className="dim num not-small">{request.credits_consumed ? `${request.credits_consumed} cr.` : ''}</span>
      <span className="dim">{ago(request.created_at)}</span>
      {onAgain && over && found.length === 0 && (
        <Button size="compact-xs" variant="default" onClick={onAgain}>
          Try again
        </Button>
      )}
    </div>
  )
}
