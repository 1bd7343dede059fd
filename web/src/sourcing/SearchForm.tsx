import { Button, Checkbox, Group, NumberInput, Select, Stack, TagsInput, Text } from '@mantine/core'
import { Card } from '../shell/Page'
import { NetworkAccount, Places, useNetworks } from './Network'
import type { Asked, Source } from './search'

const SOURCES: { value: Source; label: string }[] = [
  { value: 'contacts', label: 'Our own contacts' },
  { value: 'database', label: 'Profile database' },
  { value: 'network', label: 'Professional network' },
  { value: 'advanced', label: 'Profile database with addresses (1 credit each)' },
]

type Props = {
  asked: Asked
  onChange: (asked: Asked) => void
  balance: number
  ready: boolean
  loading: boolean
  onSearch: () => void
}

export function SearchForm({ asked, onChange, balance, ready, loading, onSearch }: Props) {
  const networks = useNetworks()
  const set = (changes: Partial<Asked>) => onChange({ ...asked, ...changes })
  const network = asked.source === 'network'
  const costs = asked.source === 'advanced'
  const many = (name: 'job_titles' | 'companies' | 'locations' | 'skills' | 'keywords', label: string) => (
    <TagsInput
      size="sm"
      label={label}
      placeholder="Type and press Enter"
      value={asked[name]}
      onChange={(value) => set({ [name]: value })}
    />
  )
  const empty = asked.job_titles.length + asked.companies.length + asked.locations.length + asked.skills.length === 0
  const missing = !ready
    ? 'Choose a project first.'
    : network && !asked.account_id
      ? 'Choose an account.'
      : costs && empty
        ? 'Say a title, a company, a place or a skill.'
        : ''
  return (
    <Card title="Search">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onSearch()
        }}
      >
        <Stack gap="sm">
          <Select
            label="Where"
            allowDeselect={false}
            data={SOURCES}
            value={asked.source}
            onChange={(source) =>
              source && set({ source, account_id: source === 'network' ? (networks[0]?.id ?? null) : null })
            }
          />
          {network && (
            <NetworkAccount
              networks={networks}
              value={asked.account_id}
              onChange={(account_id) => set({ account_id, places: {} })}
            />
          )}
          {many('job_titles', 'Job titles')}
          {!network && many('companies', 'Companies')}
          {network ? (
            <Places account={asked.account_id} places={asked.places} onChange={(places) => set({ places })} />
          ) : (
            many('locations', 'Places')
          )}
          {!network && many('skills', 'Skills')}
          {!costs && many('keywords', 'Keywords')}
          {(network || asked.source === 'database') && (
            <Group grow gap="sm">
              <NumberInput label="Years from" min={0} max={80} value={asked.min} onChange={(min) => set({ min })} />
              <NumberInput label="Years to" min={0} max={80} value={asked.max} onChange={(max) => set({ max })} />
            </Group>
          )}
          {costs && (
            <>
              <Checkbox
                label="With email addresses and phone numbers"
                checked={asked.reveal}
                onChange={(event) => set({ reveal: event.currentTarget.checked })}
              />
              <Text size="sm" c="dimmed">
                Each profile shown costs one credit: up to 25 of the {balance} you have.
              </Text>
            </>
          )}
          <Button type="submit" size="sm" loading={loading} disabled={Boolean(missing)}>
            {costs ? 'Search for up to 25 credits' : 'Search'}
          </Button>
          {missing && (
            <Text size="xs" c="dimmed">
              {missing}
            </Text>
          )}
        </Stack>
      </form>
    </Card>
  )
}
