import { post } from '../api/client'
import type { Row } from '../fields/spec'
import { type Chosen, nothingYet, type Outcome, pages } from '../table/bulk'

/** Enrolls the people of the selected rows in a sequence. */
export const enrollIn =
  <T extends Row>(sequenceId: string, contactOf: (row: T) => string) =>
  async (chosen: Chosen<T>, onProgress: (done: number) => void): Promise<Outcome> => {
    const outcome = nothingYet()
    for await (const rows of pages(chosen)) {
      const { data } = await post(`/sequences/${sequenceId}/enroll`, {
        contact_ids: rows.map(contactOf),
      })
      outcome.done += data.enrolled
      outcome.ids.push(...data.results.flatMap((one) => (one.outcome === 'enrolled' ? one.contact_id : [])))
      outcome.failed += rows.length - data.enrolled
      if (data.skipped_blacklisted) outcome.reasons.push(`${data.skipped_blacklisted} must not be contacted`)
      if (data.skipped_already_enrolled) outcome.reasons.push(`${data.skipped_already_enrolled} were enrolled before`)
      if (data.skipped_active_elsewhere)
        outcome.reasons.push(`${data.skipped_active_elsewhere} are in another sequence`)
      onProgress(outcome.done + outcome.failed)
    }
    return outcome
  }

/** Takes the people out of the sequence again. */
export const unenrollFrom =
  (sequenceId: string) =>
  async ({ ids }: Outcome) => {
    for (let at = 0; at < ids.length; at += 500)
      await post(`/sequences/${sequenceId}/unenroll`, { contact_ids: ids.slice(at, at + 500) })
  }
