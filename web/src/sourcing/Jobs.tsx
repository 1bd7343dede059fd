import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconBriefcase } from '@tabler/icons-react'
import { useState } from 'react'
import { post } from '../api/client'
import { refresh, useAction, useList } from '../api/query'
import type { Company, NetworkJobs } from '../api/types'
import { ago, count } from '../fields/format'
import { humanize } from '../fields/spec'
import { useCan } from '../session'
import { Link } from '../shell/Link'
import { notify, notifyError } from '../shell/notices'
import { Card, Empty, Page, Waiting } from '../shell/Page'
import { ErrorMessage } from '../shell/problems'
import { oneOf } from '../table/grammar'
import { NetworkAccount, type PlaceNames, Places, useNetworks } from './Network'
import { SearchTabs } from './SearchTabs'

type Job = NetworkJobs['items'][number]

/** Jobs of the network, with a mark on companies that are in Relata already. */
export function Jobs() {
  const networks = useNetworks()
  const [picked, setPicked] = useState<string | null>(null)
  const account = picked ?? networks[0]?.id ?? null
  const [keywords, setKeywords] = useState('')
  const [places, setPlaces] = useState<PlaceNames>({})
  const [url, setUrl] = useState('')
  const [pages, setPages] = useState<NetworkJobs[]>([])
  const look = useAction(
    (cursor: string | null) =>
      post('/sourcing/network/jobs', {
        account_id: account,
        page_size: 25,
        ...(cursor ? { cursor } : url.trim() ? { url: url.trim() } : asked(keywords, places)),
      }),
    (answer, cursor) => setPages(cursor ? [...pages, answer.data] : [answer.data]),
  )
  const last = pages.at(-1)
  const jobs = pages.flatMap((page) => page.items)
  const nothing = !keywords.trim() && !url.trim() && Object.keys(places).length === 0
  return (
    <Page title="Sourcing" head={<SearchTabs />}>
      <div className="two two-search">
        <Card title="Search">
          <form
            onSubmit={(event) => {
              event.preventDefault()
              look.mutate(null)
            }}
          >
            <Stack gap="sm">
              <NetworkAccount
                networks={networks}
                value={account}
                onChange={(id) => {
                  setPicked(id)
                  setPlaces({})
                }}
              />
              <TextInput
                label="Keywords"
                placeholder="Backend engineer"
                disabled={Boolean(url.trim())}
                value={keywords}
                onChange={(event) => setKeywords(event.currentTarget.value)}
              />
              {!url.trim() && <Places account={account} places={places} onChange={setPlaces} />}
              <TextInput
                label="Or the address of a search in the network"
                placeholder="https://…"
                value={url}
                onChange={(event) => setUrl(event.currentTarget.value)}
              />
              <Button type="submit" size="sm" loading={look.isPending} disabled={!account || nothing}>
                Search
              </Button>
              {nothing && (
                <Text size="xs" c="dimmed">
                  Enter a keyword, a place or an address.
                </Text>
              )}
            </Stack>
          </form>
        </Card>
        <section aria-label="Results" aria-live="polite">
          {look.error && (
            <Alert color="red" variant="outline" mb="md" title="The search failed">
              <ErrorMessage error={look.error} />
            </Alert>
          )}
          {look.isPending && pages.length === 0 && <Waiting />}
          {!last && !look.isPending && !look.error && (
            <Empty icon={IconBriefcase} title="Who is hiring?">
              A company that looks for people may be a client. Those that are in Relata already are marked.
            </Empty>
          )}
          {last && (
            <>
              <Text fw={600} className="num" mb="sm">
                {count(last.paging.total_count)} jobs
              </Text>
              {jobs.length === 0 ? (
                <Empty icon={IconBriefcase} title="No jobs match">
                  Remove a word or a place and search again.
                </Empty>
              ) : (
                <Found jobs={jobs} />
              )}
              {last.has_more && (
                <Button mt="sm" variant="default" loading={look.isPending} onClick={() => look.mutate(last.cursor)}>
                  Show more
                </Button>
              )}
            </>
          )}
        </section>
      </div>
    </Page>
  )
}

const asked = (keywords: string, places: PlaceNames) => ({
  ...(keywords.trim() ? { keywords: keywords.trim() } : {}),
  ...(Object.keys(places).length ? { location_ids: places } : {}),
})

function Found({ jobs }: { jobs: Job[] }) {
  const names = [...new Set(jobs.map((job) => job.company.name))]
  const see = useCan('companies:read')
  // A name may occur several times; a hundred rows cover the names of a few pages.
  const known =
    useList(see ? '/companies' : null, { name: oneOf(names.slice(-100)), limit: '100', count: 'none' }).data?.data ?? []
  return (
    <div className="card">
      {jobs.map((job) => (
        <Line key={job.id} job={job} company={known.find((one) => one.name === job.company.name)} />
      ))}
    </div>
  )
}

function Line({ job, company }: { job: Job; company?: Company }) {
  const may = useCan('companies:write')
  const [waiting, setWaiting] = useState(false)
  const add = () => {
    setWaiting(true)
    post('/companies', { name: job.company.name, network_profile: job.company.profile_url })
      .then(({ data }) => {
        notify(`${data.name} added`)
        return refresh('companies')
      }, notifyError)
      .finally(() => setWaiting(false))
  }
  const facts = [
    job.location,
    job.workplace_type && humanize(job.workplace_type),
    job.posted_at && `${job.reposted ? 'posted again' : 'posted'} ${ago(job.posted_at)}`,
    job.easy_apply && 'easy to apply for',
  ]
  return (
    <div className="row-link">
      <div className="grow">
        <a
          className="cut"
          href={job.url}
          target="_blank"
          rel="noreferrer"
          style={{ fontWeight: 600, display: 'block' }}
        >
          {job.title}
        </a>
        <div className="cut">{job.company.name}</div>
        <div className="cut dim">{facts.filter(Boolean).join(' · ')}</div>
      </div>
      <Group gap="xs">
        {company ? (
          <Link to={`/companies/${company.id}`} className="tag" aria-label={`${company.name}, known`}>
            Known
          </Link>
        ) : (
          may && (
            <Button
              size="compact-xs"
              variant="default"
              loading={waiting}
              aria-label={`Add ${job.company.name}`}
              onClick={add}
            >
              Add company
            </Button>
          )
        )}
      </Group>
    </div>
  )
}
