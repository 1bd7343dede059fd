import { Alert, Button, Checkbox, Group, Select, Text } from '@mantine/core'
import { IconUserSearch } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { post } from '../api/client'
import { refresh, useAction, useGet } from '../api/query'
import { count, plural } from '../fields/format'
import { ProjectPicker } from '../fields/Pickers'
import { personName, useCan } from '../session'
import { Link } from '../shell/Link'
import { notify, notifyError } from '../shell/notices'
import { Empty, Page, Waiting } from '../shell/Page'
import { ErrorMessage } from '../shell/problems'
import { Jobs } from './Jobs'
import { SearchForm } from './SearchForm'
import { SearchTabs } from './SearchTabs'
import { type Asked, type Found, NOTHING, type Profile, search } from './search'

/** Sourcing: searches for people, and for companies by their jobs. */
export function Sourcing() {
  const { open = 'people' } = useSearch({ from: '__root__' })
  return open === 'jobs' ? <Jobs /> : <People />
}

/** Searches for people, marks known ones, and adds them to a project. */
function People() {
  const navigate = useNavigate()
  const { project_id: project } = useSearch({ from: '__root__' })
  const me = useGet('/me').data?.data
  const [asked, setAsked] = useState<Asked>(NOTHING)
  const [pages, setPages] = useState<Found[]>([])
  const [chosen, setChosen] = useState<Map<string, Profile>>(new Map())
  const look = useAction(
    ({ page, cursor }: { page: number; cursor: string | null }) => search(asked, project ?? '', page, cursor),
    (answer, { page }) => {
      setPages(page === 1 ? [answer.data] : [...pages, answer.data])
      if (page === 1) setChosen(new Map())
      if (asked.source === 'advanced') refresh('me')
    },
  )
  const last = pages.at(-1)
  const profiles = pages.flatMap((page) => page.profiles)
  const balance = last?.sourcing_credits_remaining ?? me?.credits.sourcing ?? 0
  const toggle = (profile: Profile) => {
    const next = new Map(chosen)
    if (!next.delete(profile.profile_id)) next.set(profile.profile_id, profile)
    setChosen(next)
  }
  return (
    <Page
      title="Sourcing"
      head={
        <>
          <SearchTabs />
          <Text c="dimmed" className="num">
            {plural(balance, 'credit')}
          </Text>
        </>
      }
      actions={
        <ProjectPicker
          w={240}
          value={project ?? null}
          placeholder="For which project?"
          onPick={(id) => navigate({ to: '.', search: { project_id: id ?? undefined }, replace: true })}
        />
      }
    >
      <div className="two two-search">
        <SearchForm
          asked={asked}
          onChange={setAsked}
          balance={balance}
          ready={Boolean(project) || asked.source === 'advanced'}
          loading={look.isPending}
          onSearch={() => look.mutate({ page: 1, cursor: null })}
        />
        <section aria-label="Results" aria-live="polite">
          {look.error && (
            <Alert color="red" variant="outline" mb="md" title="The search failed">
              <ErrorMessage error={look.error} />
            </Alert>
          )}
          {look.isPending && pages.length === 0 && <Waiting />}
          {!last && !look.isPending && !look.error && (
            <Empty icon={IconUserSearch} title={project ? 'Who are you looking for?' : 'Choose a project first'}>
              People who are already in the project or in Relata are marked, so that nobody is written to twice.
            </Empty>
          )}
          {last && (
            <>
              <Group mb="sm" gap="sm">
                <Text fw={600} className="num">
                  {count(last.total_count)}
                  {last.total_count >= 10_000 ? ' or more' : ''} found
                </Text>
                {last.filtered_count !== last.total_count && (
                  <Text c="dimmed">{count(last.filtered_count)} fit all filters</Text>
                )}
                {last.credits_consumed !== undefined && <Text c="dimmed">{last.credits_consumed} credits used</Text>}
                <span className="grow" />
                <Take
                  project={project}
                  chosen={[...chosen.values()]}
                  account={asked.account_id}
                  onDone={() => setChosen(new Map())}
                />
              </Group>
              {profiles.length === 0 && (
                <Empty icon={IconUserSearch} title="No people match">
                  {last.too_strict_filter
                    ? `Without “${last.too_strict_filter}” there would be results.`
                    : 'Remove a filter and search again.'}
                </Empty>
              )}
              {profiles.length > 0 && (
                <div className="card">
                  {profiles.map((profile) => (
                    <Line
                      key={profile.profile_id}
                      profile={profile}
                      chosen={chosen.has(profile.profile_id)}
                      onToggle={() => toggle(profile)}
                    />
                  ))}
                </div>
              )}
              {last.has_more && (
                <Button
                  mt="sm"
                  variant="default"
                  loading={look.isPending}
                  onClick={() => look.mutate({ page: last.next_page ?? pages.length + 1, cursor: last.cursor ?? null })}
                >
                  {asked.source === 'advanced' ? 'Show 25 more (up to 25 credits)' : 'Show more'}
                </Button>
              )}
            </>
          )}
        </section>
      </div>
    </Page>
  )
}

function Line({ profile, chosen, onToggle }: { profile: Profile; chosen: boolean; onToggle: () => void }) {
  const name = personName(profile)
  return (
    <div className="row-link" data-active={chosen || undefined}>
      <Checkbox
        size="xs"
        aria-label={`Choose ${name}`}
        disabled={profile.already_in_project}
        checked={chosen}
        onChange={onToggle}
      />
      <div className="grow">
        <div className="cut">
          <span style={{ fontWeight: 600 }}>{name}</span> <span className="dim">{profile.location}</span>
        </div>
        <div className="cut">
          {profile.headline ??
            [profile.current_job?.title, profile.current_job?.company_name].filter(Boolean).join(' · ')}
        </div>
        <div className="cut dim">
          {[
            profile.total_years_experience ? `${profile.total_years_experience} years` : '',
            profile.skills.slice(0, 8).join(', '),
          ]
            .filter(Boolean)
            .join(' · ')}
        </div>
      </div>
      {profile.open_to_work && <span className="tag">Open to work</span>}
      {profile.already_in_project ? (
        <span className="tag">In this project</span>
      ) : (
        profile.existing_contact_id && (
          <Link to={`/contacts/${profile.existing_contact_id}`} className="tag">
            Known
          </Link>
        )
      )}
      {profile.network_url && (
        <a href={profile.network_url} target="_blank" rel="noreferrer" className="not-small">
          Profile
        </a>
      )}
    </div>
  )
}

type TakeProps = { project?: string; chosen: Profile[]; account: string | null; onDone: () => void }

function Take({ project, chosen, account, onDone }: TakeProps) {
  const may = useCan('sourcing:write')
  const detail = useGet(project ? `/projects/${project}` : null).data?.data
  const [stage, setStage] = useState<string | null>(null)
  if (!may || !project) return null
  const take = () =>
    post('/sourcing/add-to-project', {
      project_id: project,
      profiles: chosen,
      ...(account ? { account_id: account } : {}),
      ...(stage ? { stage_id: stage } : {}),
    }).then(({ data }) => {
      refresh('projects', 'entries', 'contacts')
      notify(`${data.added} added${data.skipped ? `, ${data.skipped} were there already` : ''}`)
      onDone()
    }, notifyError)
  return (
    <Group gap="xs">
      <Select
        size="xs"
        w={150}
        aria-label="Stage"
        placeholder="First stage"
        clearable
        data={detail?.pipeline.stages.map((one) => ({ value: one.id, label: one.name })) ?? []}
        value={stage}
        onChange={setStage}
      />
      <Button disabled={chosen.length === 0} onClick={take}>
        Add {chosen.length || ''} to project
      </Button>
    </Group>
  )
}
