import { get, post } from '../api/client'
import type { DataOf } from '../api/paths'
import { count, people } from '../fields/format'
import type { Row } from '../fields/spec'
import { ask } from '../shell/ask'
import { notifyError } from '../shell/notices'
import type { Run } from '../table/BulkBar'
import { type Chosen, nothingYet, type Outcome, pages } from '../table/bulk'

/** Enrolls the people of the selected rows in a sequence after the user has confirmed it. */
export async function enrollSelected<T extends Row>(
  run: Run<T>,
  sequenceId: string,
  number: number,
  contactOf: (row: T) => string,
) {
  try {
    const { data: sequence } = await get(`/sequences/${sequenceId}`)
    const when =
      sequence.status === 'paused'
        ? 'It is paused: nothing is sent until it is started again.'
        : 'Messages are sent as its schedule allows.'
    const isSure = await ask({
      title: `Enroll ${people(number)} in “${sequence.name}”?`,
      text: `${when} People who must not be contacted or are in a sequence already are left out.`,
      action: `Enroll ${people(number)}`,
    })
    if (isSure) await run('Enrolled', enrollIn(sequenceId, contactOf), unenrollFrom(sequenceId))
  } catch (error) {
    notifyError(error)
  }
}

type Result = DataOf<`/sequences/${string}/enroll`, 'post'>['results'][number]

/** Why some people were not enrolled, after their number. */
const LEFT_OUT: Record<Exclude<Result['outcome'], 'enrolled'>, string> = {
  skipped_blacklisted: 'must not be contacted',
  skipped_already_enrolled: 'in this sequence already',
  skipped_active_elsewhere: 'in another sequence',
  skipped_not_found: 'deleted meanwhile',
}

/** Enrolls the people of the selected rows. Refused rows get the server's reason. */
const enrollIn =
  <T extends Row>(sequenceId: string, contactOf: (row: T) => string) =>
  async (chosen: Chosen<T>, onProgress: (done: number) => void): Promise<Outcome> => {
    const outcome = nothingYet()
    const left = new Map<string, number>()
    for await (const rows of pages(chosen)) {
      const { data } = await post(`/sequences/${sequenceId}/enroll`, { contact_ids: rows.map(contactOf) })
      const results = new Map(data.results.map((one) => [one.contact_id, one]))
      for (const row of rows) {
        const result = results.get(contactOf(row))
        if (!result || result.outcome === 'enrolled') continue
        const words = LEFT_OUT[result.outcome]
        left.set(words, (left.get(words) ?? 0) + 1)
        outcome.refused.set(row.id, result.reason ?? words)
      }
      outcome.done += data.enrolled
      outcome.failed = outcome.refused.size
      outcome.ids.push(...data.results.flatMap((one) => (one.outcome === 'enrolled' ? one.contact_id : [])))
      onProgress(outcome.done + outcome.failed)
    }
    outcome.reasons = [...left].map(([words, number]) => `${count(number)} ${words}`)
    return outcome
  }

/** Takes the people out of the sequence again. */
const unenrollFrom =
  (sequenceId: string) =>
  async ({ ids }: Outcome) => {
    for (let at = 0; at < ids.length; at += 500)
      await post(`/sequences/${sequenceId}/unenroll`, { contact_ids: ids.slice(at, at + 500) })
  }
