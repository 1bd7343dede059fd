import { Button, Group, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useList } from '../api/query'
import type { ConnectedAccount } from '../api/types'

/** The accounts that can search a network. */
export function useNetworks(): ConnectedAccount[] {
  const accounts = useList('/connected-accounts').data?.data ?? []
  return accounts.filter((one) => one.provider === 'network' && one.status !== 'disconnected')
}

type AccountProps = { networks: ConnectedAccount[]; value: string | null; onChange: (id: string | null) => void }

export function NetworkAccount({ networks, value, onChange }: AccountProps) {
  return (
    <Select
      label="Account"
      data={networks.map((one) => ({ value: one.id, label: one.name }))}
      value={value}
      onChange={onChange}
      error={networks.length === 0 ? 'Connect a network account in the settings first' : undefined}
    />
  )
}

/** Ids of places, each with its name. */
export type PlaceNames = Record<string, string>

type PlacesProps = { account: string | null; places: PlaceNames; onChange: (places: PlaceNames) => void }

/** The network identifies places by ids, so names are looked up there first. */
export function Places({ account, places, onChange }: PlacesProps) {
  const [typed, setTyped] = useState('')
  const [words] = useDebouncedValue(typed.trim(), 250)
  const found =
    useList(words && account ? '/sourcing/network/locations' : null, {
      q: words,
      account_id: account ?? '',
    }).data?.data ?? []
  return (
    <div>
      <Select
        label="Places"
        searchable
        placeholder="Type a city, region or country"
        disabled={!account}
        data={found.filter((one) => !(one.id in places)).map((one) => ({ value: one.id, label: one.title }))}
        filter={({ options }) => options}
        value={null}
        searchValue={typed}
        onSearchChange={setTyped}
        nothingFoundMessage={words ? 'No place found' : undefined}
        onChange={(id) => {
          const place = found.find((one) => one.id === id)
          if (place) onChange({ ...places, [place.id]: place.title })
          setTyped('')
        }}
      />
      <Group gap={4} mt={6}>
        {Object.entries(places).map(([id, title]) => (
          <Button
            key={id}
            size="compact-xs"
            variant="default"
            aria-label={`Remove ${title}`}
            onClick={() => {
              const { [id]: _, ...rest } = places
              onChange(rest)
            }}
          >
            {title} ×
          </Button>
        ))}
      </Group>
    </div>
  )
}
