import { useGet } from '../api/query'

/** The number of candidates in each stage; lists of projects only contain the sum. */
export function StageCounts({ id }: { id: string }) {
  const stages = useGet(`/projects/${id}`, undefined, { staleTime: 60_000 }).data?.data.pipeline.stages
  return stages
    ?.filter((stage) => stage.entries_count > 0)
    .map((stage) => (
      <span key={stage.id} className="chip" style={{ marginRight: 10 }} title={stage.name}>
        <span className="chip-dot" style={{ background: stage.color }} />
        <span className="num">
          {stage.entries_count} <span className="dim">{stage.name}</span>
        </span>
      </span>
    ))
}
