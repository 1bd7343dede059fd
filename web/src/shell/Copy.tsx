import { ActionIcon, Menu } from '@mantine/core'
import { IconCode } from '@tabler/icons-react'
import { asCurl, queryString } from '../api/client'
import { notify, notifyError } from './notices'

export const copy = (text: string) => navigator.clipboard.writeText(text).then(() => notify('Copied'), notifyError)

type Props = {
  path: string
  params?: object
  /** Whether the menu is part of a panel that closes by a click beside it. */
  inside?: boolean
}

/** The API request of a page, for use in a program. */
export function CopyRequest({ path, params, inside = false }: Props) {
  return (
    <Menu withinPortal={!inside}>
      <Menu.Target>
        <ActionIcon aria-label="For the API">
          <IconCode size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown maw={380}>
        {params && (
          <>
            <Menu.Label>API query</Menu.Label>
            <div className="grammar" data-testid="grammar">
              {decodeURIComponent(queryString(params).replaceAll('+', ' '))}
            </div>
            <Menu.Item onClick={() => copy(queryString(params))}>Copy filter</Menu.Item>
          </>
        )}
        <Menu.Item onClick={() => copy(asCurl(path, params))}>Copy as curl</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** The record of a page as a curl command. */
export function CopyRecord({ path }: { path: string }) {
  return <Menu.Item onClick={() => copy(asCurl(path))}>Copy as curl</Menu.Item>
}
