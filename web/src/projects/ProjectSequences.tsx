import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { put, remove } from '../api/client'
import { refresh, useList } from '../api/query'
import type { ProjectDetail } from '../api/types'
import { SequencePicker } from '../fields/Pickers'
import { Chip } from '../fields/Show'
import { useCan } from '../session'
import { Link } from '../shell/Link'
import { notifyError } from '../shell/notices'
import { Card } from '../shell/Page'

/** The sequences of a project, and the default one for its candidates. */
export function ProjectSequences({ project }: { project: ProjectDetail }) {
  const path = `/projects/${project.id}/sequences` as const
  const see = useCan('sequences:read')
  const may = useCan('projects:write')
  const list = useList(see ? path : null).data?.data ?? []
  const [chosen, setChosen] = useState<string | null>(null)
  if (!see) return null
  const again = () => refresh('sequences', 'projects')
  const makeDefault = (id: string) => put(path, { sequence_id: id }).then(again, notifyError)
  return (
    <Card title="Sequences" flush>
      {list.map((one) => (
        <div key={one.id} className="row-link">
          <Link to={`/sequences/${one.id}`} className="grow cut">
            {one.name}
          </Link>
          <Chip value={one.status} />
          {may &&
            (one.is_default ? (
              <Button size="compact-xs" variant="default" onClick={() => remove(path).then(again, notifyError)}>
                Default ×
              </Button>
            ) : (
              <Button size="compact-xs" variant="default" onClick={() => makeDefault(one.id)}>
                Make default
              </Button>
            ))}
        </div>
      ))}
      {may && (
        <Group p={10} gap="xs" wrap="nowrap">
          <SequencePicker value={chosen} onPick={setChosen} placeholder="Default sequence" />
          <Button
            disabled={!chosen}
            variant="default"
            onClick={() => chosen && makeDefault(chosen).then(() => setChosen(null))}
          >
            Set
          </Button>
        </Group>
      )}
    </Card>
  )
}
