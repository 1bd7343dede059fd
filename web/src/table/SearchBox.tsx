import { CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { firstOf } from '../api/client'
import type { TableState } from './state'

/** Searches while the user types; the address follows. */
export function SearchBox({ state }: { state: TableState }) {
  return (
    <SearchField
      label="Search this list"
      asked={firstOf(state.filters.search) ?? ''}
      onSearch={(search) => state.set({ search })}
    />
  )
}

type Props = {
  label: string
  /** The words in the address. */
  asked: string
  onSearch: (words: string | undefined) => void
}

export function SearchField({ label, asked, onSearch }: Props) {
  const [text, setText] = useState(asked)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => setText(asked), [asked])
  const type = (next: string) => {
    setText(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onSearch(next.trim() || undefined), 200)
  }
  return (
    <TextInput
      size="xs"
      w={200}
      type="search"
      aria-label={label}
      placeholder="Search"
      leftSection={<IconSearch size={14} />}
      rightSection={text ? <CloseButton size="xs" onClick={() => type('')} aria-label="Clear search" /> : null}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
    />
  )
}
