import { Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Tab } from '../shell/icons'
import { useIsPhone } from '../shell/Page'
import { useSelectedTab } from '../shell/useSelectedTab'

type Props = {
  /** The tabs by their names in the address; the first is open if the address names none. */
  tabs: [value: string, label: string][]
  /** The details: beside the tabs, and the second tab on a phone. */
  details: ReactNode
  /** The panels. */
  children: ReactNode
}

/** The tabs of a record, which come first on a phone. */
export function RecordTabs({ tabs, details, children }: Props) {
  const navigate = useNavigate()
  const { open } = useSearch({ from: '__root__' })
  const isPhone = useIsPhone()
  const [first, ...others] = tabs
  const all: Props['tabs'] = isPhone ? [first, ['details', 'Details'], ...others] : tabs
  const tab = all.find(([value]) => value === open)?.[0] ?? first[0]
  const list = useSelectedTab(tab)
  return (
    <div className="two">
      <Tabs
        value={tab}
        onChange={(next) => navigate({ to: '.', search: { open: next ?? undefined }, replace: true })}
        keepMounted={false}
      >
        <Tabs.List mb="md" ref={list}>
          {all.map(([value, label]) => (
            <Tab key={value} value={value}>
              {label}
            </Tab>
          ))}
        </Tabs.List>
        {isPhone && <Tabs.Panel value="details">{details}</Tabs.Panel>}
        {children}
      </Tabs>
      {!isPhone && details}
    </div>
  )
}
