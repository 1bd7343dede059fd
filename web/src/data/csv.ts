/** The first rows of a CSV file: enough to choose what each column means. The server reads the file itself. */
export function peek(text: string, rows: number): string[][] {
  const separator = [',', ';', '\t']
    .map((sign) => ({ sign, number: (text.split('\n', 1)[0] ?? '').split(sign).length }))
    .sort((a, b) => b.number - a.number)[0].sign
  const found: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  for (let at = 0; at < text.length && found.length < rows; at++) {
    const sign = text[at]
    if (quoted) {
      if (sign === '"' && text[at + 1] === '"') {
        cell += '"'
        at++
      } else if (sign === '"') quoted = false
      else cell += sign
    } else if (sign === '"' && cell === '') quoted = true
    else if (sign === separator) {
      row.push(cell)
      cell = ''
    } else if (sign === '\n') {
      found.push([...row, cell.replace(/\r$/, '')])
      row = []
      cell = ''
    } else cell += sign
  }
  if (found.length < rows && (cell || row.length)) found.push([...row, cell])
  return found
}

const KNOWN: Record<string, string[]> = {
  first_name: ['first', 'firstname', 'givenname', 'vorname', 'prenom'],
  last_name: ['last', 'lastname', 'surname', 'familyname', 'nachname', 'nom'],
  title: ['jobtitle', 'position', 'role'],
  current_company: ['company', 'companyname', 'employer', 'organization', 'organisation'],
  emails: ['email', 'emailaddress', 'mail', 'workemail'],
  phones: ['phone', 'phonenumber', 'mobile', 'telephone', 'tel'],
  location: ['city', 'place', 'address'],
  network_profile: ['profile', 'profileurl', 'networkurl'],
  global_status: ['status'],
  contact_type: ['type'],
  tags: ['tag', 'labels'],
  name: ['company', 'companyname', 'account'],
  domain: ['websitedomain'],
  website: ['url', 'web', 'homepage'],
  employee_count: ['employees'],
}

const bare = (text: string) =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')

/** Which member a column probably stands for. */
export function guess(column: string, members: string[], labels: Record<string, string>): string | null {
  const name = bare(column)
  return (
    members.find(
      (member) =>
        bare(member) === name ||
        bare(labels[member] ?? '') === name ||
        bare(member.replace('custom_data.', '')) === name,
    ) ??
    members.find((member) => KNOWN[member]?.includes(name)) ??
    null
  )
}
