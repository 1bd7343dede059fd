import { Button, Menu } from '@mantine/core'
import { IconLayoutList } from '@tabler/icons-react'
import type { Field } from '../fields/spec'
import { groupable } from './groups'
import type { TableState } from './state'

/** The field that groups the table into sections. */
export function GroupBy({ state, fields }: { state: TableState; fields: Field[] }) {
  const usable = groupable(fields)
  const current = usable.find((field) => field.key === state.all.group)
  return (
    <Menu>
      <Menu.Target>
        <Button variant={current ? 'light' : 'default'} leftSection={<IconLayoutList size={14} />}>
          {current ? `By ${current.label.toLowerCase()}` : 'Group'}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {usable.map((field) => (
          <Menu.Item key={field.key} onClick={() => state.set({ group: field.key, closed: undefined })}>
            {field.label}
          </Menu.Item>
        ))}
        {current && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={() => state.set({ group: undefined, closed: undefined })}>Not grouped</Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
