import { Button, Menu, Select } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import type { Field } from '../fields/spec'
import type { TableState } from './state'

/** The name of a field in the parameter `sort`: people are sorted by their last names. */
export const sortKeyOf = (field: Field) => (field.type === 'name' ? 'last_name' : field.key)

type Props = { state: TableState; fields: Field[] }

/** The fields that can be sorted, and which one is. A list without its own sort has the given one. */
function useSort({ state, fields }: Props) {
  const named = fields.some((field) => field.type === 'name')
  const usable = fields.filter((field) => field.sort && !(named && field.key === 'last_name'))
  const [first] = state.sort.split(',')
  const isDown = first.startsWith('-')
  const key = first.replace(/^-/, '')
  return { usable, isDown, key, current: usable.find((field) => sortKeyOf(field) === key) }
}

/** Sorts a list that has no heads of columns, such as a board, or whose column is not shown. */
export function SortBy({ state, fields }: Props) {
  const { usable, isDown, key, current } = useSort({ state, fields })
  const Arrow = isDown ? IconArrowDown : IconArrowUp
  return (
    <Menu>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconArrowsSort size={14} />}
          aria-label={`Sort: ${current?.label ?? key}`}
        >
          {current?.label ?? 'Sort'}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
        {usable.map((field) => {
          const name = sortKeyOf(field)
          const isOn = name === key
          return (
            <Menu.Item
              key={name}
              aria-current={isOn || undefined}
              rightSection={isOn ? <Arrow size={14} aria-label={isDown ? 'descending' : 'ascending'} /> : null}
              onClick={() => state.set({ sort: isOn && !isDown ? `-${name}` : name })}
            >
              {field.label}
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The same as a field of a form. */
export function SortSelect({ state, fields }: Props) {
  const { usable, isDown, key } = useSort({ state, fields })
  const data = usable.flatMap((field) => [
    { value: sortKeyOf(field), label: `${field.label}, ascending` },
    { value: `-${sortKeyOf(field)}`, label: `${field.label}, descending` },
  ])
  return (
    <Select
      label="Sort"
      allowDeselect={false}
      data={data}
      value={isDown ? `-${key}` : key}
      onChange={(sort) => sort && state.set({ sort })}
    />
  )
}
