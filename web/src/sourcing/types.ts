export type Profile = {
  profile_id: string
  first_name: string
  last_name: string
  headline: string | null
  location: string | null
  network_url: string | null
  summary: string | null
  current_job: { title: string | null; company_name: string | null } | null
  skills: string[]
  total_years_experience: number | null
  open_to_work: boolean | null
  emails?: unknown[] | null
  phones?: unknown[] | null
  already_in_project: boolean
  existing_contact_id: string | null
}

export type Found = {
  profiles: Profile[]
  total_count: number
  filtered_count: number
  has_more: boolean
  next_page?: number | null
  cursor?: string | null
  filters_too_strict?: boolean
  too_strict_filter?: string | null
  credits_consumed?: number
  sourcing_credits_remaining?: number
}

export type Source = 'database' | 'contacts' | 'network' | 'advanced'

export type Asked = {
  source: Source
  job_titles: string[]
  companies: string[]
  locations: string[]
  places: Record<string, string>
  skills: string[]
  keywords: string[]
  min: number | string
  max: number | string
  account_id: string | null
  reveal: boolean
}

export const NOTHING: Asked = {
  source: 'contacts',
  job_titles: [],
  companies: [],
  locations: [],
  places: {},
  skills: [],
  keywords: [],
  min: '',
  max: '',
  account_id: null,
  reveal: false,
}

const filled = (object: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(object).filter(
      ([, value]) =>
        value !== undefined && value !== '' && value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  )

const years = ({ min, max }: Asked) =>
  min === '' && max === ''
    ? undefined
    : filled({ min: min === '' ? null : Number(min), max: max === '' ? null : Number(max) })

/** The request of a search, by source. */
export function searchOf(
  asked: Asked,
  project: string,
  page: number,
  cursor: string | null,
): { path: string; body: object } {
  switch (asked.source) {
    case 'advanced':
      return {
        path: '/sourcing/advanced/profiles/search',
        body: filled({
          job_title: asked.job_titles,
          company: asked.companies,
          location: asked.locations,
          skills: asked.skills,
          data_types: asked.reveal ? ['personal_email', 'work_email', 'phone'] : undefined,
          reveal_info: asked.reveal || undefined,
          page,
        }),
      }
    case 'network':
      return {
        path: '/sourcing/network/search',
        body: filled({
          project_id: project,
          account_id: asked.account_id,
          job_titles: asked.job_titles,
          location_ids: Object.keys(asked.places).length ? asked.places : undefined,
          years_experience: years(asked),
          boolean_query: asked.keywords.join(' AND ') || undefined,
          page_size: 25,
          cursor,
        }),
      }
    case 'contacts':
      return {
        path: '/sourcing/contacts/search',
        body: filled({
          project_id: project,
          job_titles: asked.job_titles,
          companies: asked.companies,
          locations: asked.locations,
          skills: asked.skills,
          keywords: asked.keywords,
          page,
          page_size: 25,
        }),
      }
    default:
      return {
        path: '/sourcing/search',
        body: {
          project_id: project,
          source_type: 'database',
          page,
          page_size: 25,
          filters: filled({
            job_titles: asked.job_titles.length ? { include: asked.job_titles } : undefined,
            companies: asked.companies.length ? { include: asked.companies } : undefined,
            locations: asked.locations.length ? { cities: asked.locations } : undefined,
            skills: asked.skills.length ? { include: asked.skills } : undefined,
            keywords: asked.keywords.length ? { include: asked.keywords } : undefined,
            years_experience: years(asked),
          }),
        },
      }
  }
}
