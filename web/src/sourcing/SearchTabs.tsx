import { SegmentedControl } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'

/** The kinds of searches. */
export function SearchTabs() {
  const navigate = useNavigate()
  const { open = 'people', ...rest } = useSearch({ from: '__root__' })
  return (
    <SegmentedControl
      size="xs"
      aria-label="Search for"
      data={[
        { value: 'people', label: 'People' },
        { value: 'jobs', label: 'Jobs' },
      ]}
      value={open}
      onChange={(next) => navigate({ to: '.', search: { ...rest, open: next === 'people' ? undefined : next } })}
    />
  )
}
