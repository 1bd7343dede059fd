import { IconBriefcase } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { get, type Params, queryString } from '../api/client'
import { keyOf } from '../api/query'
import type { Project } from '../api/types'
import { count } from '../fields/format'
import { useCan, useSession } from '../session'
import { Link } from '../shell/Link'
import { oneOf } from '../table/grammar'
import { agoDays, Box, Nothing } from './Box'

/** Final stages: candidates here do not count as stale. */
const ENDS = ['hired', 'rejected']

/** Candidates of a project in other stages that have not changed for two weeks. */
async function staleIn(project: Project) {
  const { stages } = (await get(`/projects/${project.id}`)).data.pipeline
  const moving = stages.filter((stage) => !ENDS.includes(stage.system_category)).map((stage) => stage.id)
  const params: Params = { stage_id: oneOf(moving), updated_at: `lt.${agoDays(14).slice(0, 10)}`, sort: 'updated_at' }
  const { meta } = await get(`/projects/${project.id}/entries`, { ...params, limit: '1' })
  return { project, params, total: meta.total ?? 0 }
}

export function StaleCandidates() {
  const session = useSession()
  const see = useCan('pipeline:read')
  const params: Params = { status: 'active', owner_id: session.user.user_id, sort: '-updated_at', limit: '8' }
  const found = useQuery({
    queryKey: [...keyOf('/projects', params), 'stale'],
    queryFn: async () => Promise.all((await get('/projects', params)).data.map(staleIn)),
    enabled: see,
  })
  const stale = (found.data ?? []).filter((one) => one.total > 0)
  return (
    <Box icon={IconBriefcase} title="Stale candidates (14+ days)" to="/projects">
      {stale.length === 0 && <Nothing>All candidates of your projects have moved lately.</Nothing>}
      {stale.map((one) => (
        <Link
          key={one.project.id}
          to={`/projects/${one.project.id}?${queryString({ layout: 'table', ...one.params })}`}
          className="row-link"
        >
          <span className="grow cut">{one.project.name}</span>
          <span className="dim">{one.project.client_company?.name}</span>
          <span className="num">{count(one.total)}</span>
        </Link>
      ))}
    </Box>
  )
}
