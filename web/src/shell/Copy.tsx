import { ActionIcon, Menu } from '@mantine/core'
import { IconCode } from '@tabler/icons-react'
import { asCurl, queryString } from '../api/client'
import { done, fail } from './tell'

export const copy = (text: string) => navigator.clipboard.writeText(text).then(() => done('Copied'), fail)

/** The API request of a page, for use in a program. */
export function CopyRequest({ path, params }: { path: string; params?: object }) {
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label="For the API">
          <IconCode size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {params && <Menu.Item onClick={() => copy(queryString(params))}>Copy filter</Menu.Item>}
        <Menu.Item onClick={() => copy(asCurl(path, params))}>Copy as curl</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** The record of a page as a curl command. */
export function CopyRecord({ path }: { path: string }) {
  return <Menu.Item onClick={() => copy(asCurl(path))}>Copy as curl</Menu.Item>
}
