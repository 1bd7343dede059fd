import { Button, Combobox, useCombobox } from '@mantine/core'
import { type Icon, IconChevronDown } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useKeys } from '../shell/useKeys'

export type Item = { value: string; label: string; note?: ReactNode; group?: string; disabled?: boolean }

type Props = {
  label: string
  icon?: Icon
  items: Item[]
  /** Shown if there are no items at all. */
  empty: ReactNode
  onPick: (value: string) => void
  onOpen?: () => void
  /** A key that opens it. */
  hotkey?: string
  variant?: 'subtle' | 'default'
}

const fits = (item: Item, typed: string) => item.label.toLowerCase().includes(typed.trim().toLowerCase())

/** A button that opens a list with a search field. Arrows and Enter choose, Escape closes. */
export function SearchMenu({ label, icon: Glyph, items, empty, onPick, onOpen, hotkey, variant = 'subtle' }: Props) {
  const [typed, setTyped] = useState('')
  const combobox = useCombobox({
    onDropdownOpen: () => {
      onOpen?.()
      combobox.focusSearchInput()
    },
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      setTyped('')
    },
  })
  useKeys(hotkey ? [[hotkey, () => combobox.openDropdown()]] : [])
  const found = items.filter((one) => fits(one, typed))
  // Enter takes the first item that fits, also if the items arrive after the words were typed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the store is a new object in every render
  useEffect(() => {
    if (typed && found.length > 0) combobox.selectFirstOption()
  }, [typed, found.length])
  const groups = [...new Set(found.map((one) => one.group))]
  const option = (one: Item) => (
    <Combobox.Option key={one.value} value={one.value} disabled={one.disabled}>
      <span className="cut" style={{ display: 'block' }}>
        {one.label}
      </span>
      {one.note && (
        <span className="cut dim" style={{ display: 'block', fontSize: '0.75rem' }}>
          {one.note}
        </span>
      )}
    </Combobox.Option>
  )
  return (
    <Combobox
      store={combobox}
      width={280}
      position="bottom-start"
      shadow="md"
      onOptionSubmit={(value) => {
        combobox.closeDropdown()
        onPick(value)
      }}
    >
      <Combobox.Target targetType="button" withAriaAttributes={false}>
        <Button
          variant={variant}
          color="gray"
          leftSection={Glyph && <Glyph size={14} />}
          rightSection={<IconChevronDown size={12} />}
          aria-haspopup="listbox"
          aria-expanded={combobox.dropdownOpened}
          onClick={() => combobox.toggleDropdown()}
        >
          {label}
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          aria-label={`Search: ${label}`}
          placeholder="Search"
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            combobox.closeDropdown()
            combobox.focusTarget()
          }}
        />
        <Combobox.Options mah={260} style={{ overflowY: 'auto' }} aria-label={label}>
          {items.length === 0 ? (
            <Combobox.Empty>{empty}</Combobox.Empty>
          ) : found.length === 0 ? (
            <Combobox.Empty>Nothing found</Combobox.Empty>
          ) : (
            groups.map((group) =>
              group ? (
                <Combobox.Group key={group} label={group}>
                  {found.filter((one) => one.group === group).map(option)}
                </Combobox.Group>
              ) : (
                found.filter((one) => !one.group).map(option)
              ),
            )
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
