/** How a connection is protected, as the API names it. */
export type Security = 'tls' | 'starttls' | 'none'

export type MailServer = { host: string; port: number; security: Security }

export type MailProvider = {
  name: string
  domains: string[]
  smtp: MailServer
  imap: MailServer
  /** What the user has to know or to do before it works. */
  note?: string
  /** How it is connected without a password, if the operator set that up. */
  oauth?: {
    /** Its name in `relata oauth add`. */
    name: string
    title: string
    /** What to know about passwords beside the button that needs none. */
    note: string
  }
}

const tls = (host: string, port: number): MailServer => ({ host, port, security: 'tls' })
const starttls = (host: string): MailServer => ({ host, port: 587, security: 'starttls' })

const APP_PASSWORD =
  'The usual password is refused. Create an app password in the security settings of the account, and enter it here.'
const ALLOW = 'Allow access by IMAP in the settings of the mailbox first.'
const CODE = 'Turn on IMAP in the settings of the mailbox. It shows an authorization code: enter it as the password.'

/** The commonest providers: facts that their own help pages publish. */
export const PROVIDERS: MailProvider[] = [
  {
    name: 'Google (Gmail, Workspace)',
    domains: ['gmail.com', 'googlemail.com'],
    smtp: tls('smtp.gmail.com', 465),
    imap: tls('imap.gmail.com', 993),
    note: 'The usual way is the button “Connect Google”, if the administrator of this server has set it up. An app password works as well: turn on 2-step verification, create one at https://myaccount.google.com/apppasswords, and enter it here.',
    oauth: {
      name: 'google',
      title: 'Google',
      note: 'Turn on 2-step verification, create an app password at https://myaccount.google.com/apppasswords, and enter it here.',
    },
  },
  {
    name: 'Microsoft (Outlook, 365)',
    domains: [
      'outlook.com',
      'outlook.de',
      'outlook.fr',
      'hotmail.com',
      'hotmail.co.uk',
      'hotmail.fr',
      'live.com',
      'msn.com',
    ],
    smtp: starttls('smtp.office365.com'),
    imap: tls('outlook.office365.com', 993),
    note: 'Microsoft refuses passwords, and app passwords too. Connect this mailbox with the button “Connect Microsoft”. If there is none, ask the administrator of this server to set it up.',
    oauth: {
      name: 'microsoft',
      title: 'Microsoft',
      note: 'Microsoft refuses passwords, and app passwords too, unless the administrator of the organisation permits them.',
    },
  },
  {
    name: 'Yahoo Mail',
    domains: [
      'yahoo.com',
      'yahoo.co.uk',
      'yahoo.de',
      'yahoo.fr',
      'yahoo.it',
      'yahoo.es',
      'ymail.com',
      'rocketmail.com',
    ],
    smtp: tls('smtp.mail.yahoo.com', 465),
    imap: tls('imap.mail.yahoo.com', 993),
    note: APP_PASSWORD,
  },
  {
    name: 'iCloud Mail',
    domains: ['icloud.com', 'me.com', 'mac.com'],
    smtp: starttls('smtp.mail.me.com'),
    imap: tls('imap.mail.me.com', 993),
    note: 'The usual password is refused. Create an app-specific password at https://account.apple.com, and enter it here.',
  },
  {
    name: 'AOL Mail',
    domains: ['aol.com'],
    smtp: tls('smtp.aol.com', 465),
    imap: tls('imap.aol.com', 993),
    note: APP_PASSWORD,
  },
  {
    name: 'GMX',
    domains: ['gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch'],
    smtp: starttls('mail.gmx.net'),
    imap: tls('imap.gmx.net', 993),
    note: ALLOW,
  },
  {
    name: 'GMX.com',
    domains: ['gmx.com', 'gmx.us', 'gmx.co.uk', 'gmx.fr'],
    smtp: starttls('mail.gmx.com'),
    imap: tls('imap.gmx.com', 993),
    note: ALLOW,
  },
  {
    name: 'WEB.DE',
    domains: ['web.de'],
    smtp: starttls('smtp.web.de'),
    imap: tls('imap.web.de', 993),
    note: ALLOW,
  },
  {
    name: 'T-Online',
    domains: ['t-online.de', 'magenta.de'],
    smtp: tls('securesmtp.t-online.de', 465),
    imap: tls('secureimap.t-online.de', 993),
    note: 'Set a password for email programs in the customer centre, and enter it here.',
  },
  {
    name: 'IONOS',
    domains: ['ionos.de', 'ionos.com', 'online.de'],
    smtp: tls('smtp.ionos.de', 465),
    imap: tls('imap.ionos.de', 993),
  },
  {
    name: 'freenet',
    domains: ['freenet.de'],
    smtp: tls('mx.freenet.de', 465),
    imap: tls('mx.freenet.de', 993),
  },
  {
    name: 'mailbox.org',
    domains: ['mailbox.org'],
    smtp: tls('smtp.mailbox.org', 465),
    imap: tls('imap.mailbox.org', 993),
  },
  {
    name: 'Posteo',
    domains: ['posteo.de', 'posteo.net', 'posteo.eu'],
    smtp: tls('posteo.de', 465),
    imap: tls('posteo.de', 993),
  },
  {
    name: 'Fastmail',
    domains: ['fastmail.com', 'fastmail.fm'],
    smtp: tls('smtp.fastmail.com', 465),
    imap: tls('imap.fastmail.com', 993),
    note: APP_PASSWORD,
  },
  {
    name: 'Zoho Mail',
    domains: ['zoho.com', 'zohomail.com'],
    smtp: tls('smtp.zoho.com', 465),
    imap: tls('imap.zoho.com', 993),
    note: ALLOW,
  },
  {
    name: 'Zoho Mail (Europe)',
    domains: ['zoho.eu', 'zohomail.eu'],
    smtp: tls('smtp.zoho.eu', 465),
    imap: tls('imap.zoho.eu', 993),
    note: ALLOW,
  },
  {
    name: 'Yandex Mail',
    domains: ['yandex.com', 'yandex.ru', 'ya.ru'],
    smtp: tls('smtp.yandex.com', 465),
    imap: tls('imap.yandex.com', 993),
    note: APP_PASSWORD,
  },
  {
    name: 'Mail.ru',
    domains: ['mail.ru', 'bk.ru', 'inbox.ru', 'list.ru'],
    smtp: tls('smtp.mail.ru', 465),
    imap: tls('imap.mail.ru', 993),
    note: APP_PASSWORD,
  },
  {
    name: 'Orange',
    domains: ['orange.fr', 'wanadoo.fr'],
    smtp: tls('smtp.orange.fr', 465),
    imap: tls('imap.orange.fr', 993),
    note: ALLOW,
  },
  {
    name: 'Free',
    domains: ['free.fr'],
    smtp: tls('smtp.free.fr', 465),
    imap: tls('imap.free.fr', 993),
  },
  {
    name: 'La Poste',
    domains: ['laposte.net'],
    smtp: tls('smtp.laposte.net', 465),
    imap: tls('imap.laposte.net', 993),
    note: ALLOW,
  },
  {
    name: 'Libero',
    domains: ['libero.it'],
    smtp: tls('smtp.libero.it', 465),
    imap: tls('imapmail.libero.it', 993),
    note: ALLOW,
  },
  {
    name: 'Xfinity',
    domains: ['comcast.net'],
    smtp: starttls('smtp.comcast.net'),
    imap: tls('imap.comcast.net', 993),
    note: 'Allow access by other programs in the security settings of Xfinity Email first.',
  },
  {
    name: 'BT',
    domains: ['btinternet.com', 'btopenworld.com'],
    smtp: tls('mail.btinternet.com', 465),
    imap: tls('mail.btinternet.com', 993),
  },
  {
    name: 'QQ Mail',
    domains: ['qq.com', 'foxmail.com'],
    smtp: tls('smtp.qq.com', 465),
    imap: tls('imap.qq.com', 993),
    note: CODE,
  },
  {
    name: 'NetEase 163',
    domains: ['163.com'],
    smtp: tls('smtp.163.com', 465),
    imap: tls('imap.163.com', 993),
    note: CODE,
  },
]

/** The provider of an address, by its domain. */
export function providerOf(address: string): MailProvider | undefined {
  const domain = address.trim().toLowerCase().split('@')[1]
  return domain ? PROVIDERS.find((one) => one.domains.includes(domain)) : undefined
}

const PORTS: Record<'smtp' | 'imap', Record<Security, number>> = {
  smtp: { tls: 465, starttls: 587, none: 25 },
  imap: { tls: 993, starttls: 143, none: 143 },
}

/** The usual port of a protocol with this security. */
export const portOf = (protocol: 'smtp' | 'imap', security: Security) => PORTS[protocol][security]

/** The security that a port usually has. */
export const securityOf = (port: number | undefined): Security =>
  port === 587 || port === 143 || port === 25 ? 'starttls' : 'tls'

type Login = { user: string; password: string }

/** The server as the API takes it, with the login; it is put together only for the request. */
export function addressOf(protocol: 'smtp' | 'imap', server: ServerForm, { user, password }: Login): string {
  const login = user || password ? `${encodeURIComponent(user)}:${encodeURIComponent(password)}@` : ''
  const host = server.host.includes(':') && !server.host.startsWith('[') ? `[${server.host}]` : server.host
  return `${protocol}://${login}${host.trim()}:${server.port}?tls=${server.security}`
}

/** A server while it is edited. */
export type ServerForm = { host: string; port: number | ''; security: Security }

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The parts of an address that somebody pasted into the field of the host; the password must not stay visible there. */
export function partsOf(text: string): (Partial<ServerForm> & Partial<Login>) | undefined {
  const match =
    /^(?:smtp|imap)s?:\/\/(?:([^:@/?#]*):?([^@/?#]*)@)?(\[[^\]]*\]|[^:/?#]*)(?::(\d+))?\/?(?:\?(.*))?$/s.exec(
      text.trim(),
    )
  if (!match) return undefined
  const [, user, password, host, port, query] = match
  const asked = new URLSearchParams(query ?? '').get('tls')
  const security =
    asked === 'tls' || asked === 'starttls' || asked === 'none' ? asked : securityOf(Number(port) || undefined)
  return {
    host,
    security,
    ...(port ? { port: Number(port) } : {}),
    ...(user ? { user: decoded(user) } : {}),
    ...(password ? { password: decoded(password) } : {}),
  }
}
